"""Pure linking: facts of chats and jobs to relationships, copies and verdicts."""
