"""The answers as tools for agents (Model Context Protocol)."""
