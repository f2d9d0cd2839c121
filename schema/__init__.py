"""Constraints, indexes and migrations as .cypher files, and the description of the model."""
