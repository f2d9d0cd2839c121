"""Exports: what the graph knows, in the formats of other provenance, tracing and table programs.

One module per format; none imports its library before it is used, so the base install stays small.
"""
