"""Walking roots, telling kinds of files apart, resolving references."""
