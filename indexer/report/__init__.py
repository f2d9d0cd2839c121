"""One page about a root, to read or to hand on: figures, tables, warnings and a picture of its provenance.

`graph` -> `fold` -> `layout` -> `svg` make the picture; `figures` asks, `gather` and `tables` say it,
`markdown` and `page` write it down. Nothing here needs more than the program's own dependencies.
"""
