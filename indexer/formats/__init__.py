"""Pure parsers: bytes to frozen records and problems. No files, no database."""
