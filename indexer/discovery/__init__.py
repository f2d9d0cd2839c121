"""Walking roots, telling kinds of files apart, resolving references. No database.

`walk` finds files and `vanished` tells which are gone; `stamps` reads one; `layout` and `kinds` say what a
path means, `links` what further names it has; `references` resolves what files name, `roots` what a person
names, both in an `environment`. Paths are storable (`paths`) everywhere outside this package.
"""
