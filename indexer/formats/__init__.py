"""Pure parsers: bytes to frozen records and problems. No database; files only where a reader is given a path.

    reading, lines, automaton, chat    a chat file to messages, and messages back to text
    messages, lineage                  messages to records, with their digests
    meta, calls, receipts, segments    what meta, call and output messages say
    info, marshal                      a job's `.info`
    usage, times, ruby, jsontext       provider counts, times, the producers' spellings, JSON

Everything is total: whatever is read, the answer is records and problems. Their kinds are unclosed_region,
dropped_line, invalid_bytes, broken_archive, archive_members, unpacked_too_large (of a chat file),
bad_token_count, unreadable_call, output_not_serialised (of a message), and unreadable_info. Malformed
receipts are receipts that say how they are malformed.
"""
