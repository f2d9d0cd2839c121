"""Where the graph lives: the local server, drivers, sessions."""
