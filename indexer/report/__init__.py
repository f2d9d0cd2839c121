"""One page about a root, to read or to hand on: figures, tables, warnings and a picture of its provenance.

`graph` -> `fold` -> `layout` -> `svg` make the picture; `gather` asks for the figures; `markdown` and `page`
write them down. Nothing here needs more than the program's own dependencies.
"""
