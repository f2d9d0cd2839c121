"""The dashboard: the answers of an `Index` as pages for people. It only reads, and every page is a URL.

Needs the extra `[dashboard]`. A page module asks the index and hands plain values to its template; every
figure is one that a command prints, and every page says which command and which query file that is.
"""
