"""One module per question: typed answers computed by the query files."""
