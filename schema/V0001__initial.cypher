// The first schema: one uniqueness constraint per key, and the indexes that lookups and answers need.
// Every statement is named and may be run again.

CREATE CONSTRAINT chat_id IF NOT EXISTS FOR (n:Chat) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT job_id IF NOT EXISTS FOR (n:Job) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT message_id IF NOT EXISTS FOR (n:Message) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT content_key IF NOT EXISTS FOR (n:Content) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT receipt_id IF NOT EXISTS FOR (n:Receipt) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT inference_id IF NOT EXISTS FOR (n:Inference) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT instructions_digest IF NOT EXISTS FOR (n:Instructions) REQUIRE n.digest IS UNIQUE;
CREATE CONSTRAINT problem_id IF NOT EXISTS FOR (n:Problem) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT file_path IF NOT EXISTS FOR (n:File) REQUIRE n.path IS UNIQUE;
CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (n:Migration) REQUIRE n.version IS UNIQUE;

CREATE INDEX chat_name IF NOT EXISTS FOR (n:Chat) ON (n.name);
CREATE INDEX chat_kind IF NOT EXISTS FOR (n:Chat) ON (n.kind);
CREATE INDEX chat_conversation IF NOT EXISTS FOR (n:Chat) ON (n.conversation);
CREATE INDEX chat_ended_at IF NOT EXISTS FOR (n:Chat) ON (n.ended_at);
CREATE INDEX job_ref IF NOT EXISTS FOR (n:Job) ON (n.ref);
CREATE INDEX job_name IF NOT EXISTS FOR (n:Job) ON (n.name);
CREATE INDEX job_status IF NOT EXISTS FOR (n:Job) ON (n.status);
CREATE INDEX message_call_id IF NOT EXISTS FOR (n:Message) ON (n.call_id);
CREATE INDEX tool_call_tool IF NOT EXISTS FOR (n:ToolCall) ON (n.tool);
CREATE INDEX instructions_agent IF NOT EXISTS FOR (n:Instructions) ON (n.agent);
CREATE INDEX problem_kind IF NOT EXISTS FOR (n:Problem) ON (n.kind);
CREATE INDEX problem_path IF NOT EXISTS FOR (n:Problem) ON (n.path);
CREATE INDEX evidence_chat IF NOT EXISTS FOR ()-[r:EVIDENCE]-() ON (r.chat);
CREATE INDEX file_links IF NOT EXISTS FOR (n:File) ON (n.links);
CREATE INDEX file_missing_since IF NOT EXISTS FOR (n:File) ON (n.missing_since);
CREATE INDEX file_pending IF NOT EXISTS FOR (n:File) ON (n.pending);

CREATE FULLTEXT INDEX content_text IF NOT EXISTS FOR (n:Content) ON EACH [n.text];
