"""From files to the graph: reading, rows, the one writer, relinking, scanning."""
