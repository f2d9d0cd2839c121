// A tour of the graph, statement by statement. Paste it into Neo4j Browser with "multi statement query editor" switched on, or
// run one statement at a time; each ends with a semicolon. `indexer schema show` describes all labels and relationships.

// 1. What there is: nodes by label.
MATCH (n)
WHERE NOT n:File AND NOT n:Migration
UNWIND labels(n) AS label
RETURN label, count(*) AS nodes
ORDER BY nodes DESC;

// 2. Where to start: the root chats, the latest first. Take one as a parameter with
//    :param root => '/home/me/chats/plan.chat'
MATCH (root:Chat {kind: 'root'})
RETURN root.id AS root, root.messages AS messages, root.ended_at AS last_activity
ORDER BY last_activity DESC
LIMIT 20;

// 3. One conversation's own work: solid relationships only, however deep. Chats are yellow, jobs green.
MATCH (root:Chat {kind: 'root'})
WITH root ORDER BY root.ended_at DESC, root.id LIMIT 1
MATCH p = (root)-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*1..]->(n)
RETURN p LIMIT 300;

// 4. What chats refer to but did not do: CONTEXT, with the rule that decided (`basis`) and where it stands (`addresses`).
MATCH (chat:Chat)-[reference:CONTEXT]->(job:Job)
RETURN chat.conversation AS conversation, chat.name AS chat, job.ref AS job, reference.basis AS rule,
       reference.addresses[0] AS address
ORDER BY address
LIMIT 100;

// 5. Messages: raw and unique. A copy points to its original; nothing is counted twice.
MATCH (message:Message)
WHERE message.synthetic IS NULL
RETURN count(*) AS written, count(CASE WHEN NOT EXISTS { (message)-[:COPY_OF]->() } THEN 1 END) AS originals,
       count(CASE WHEN message.origin = 'inherited' THEN 1 END) AS in_handed_history,
       count(CASE WHEN message.origin = 'inlined' THEN 1 END) AS in_blocks_of_results;

// 6. One message with all its copies.
MATCH (original:Message)<-[:COPY_OF]-(copy:Message)
WITH original, count(copy) AS copies ORDER BY copies DESC, original.id LIMIT 1
MATCH p = (original)<-[:COPY_OF]-(:Message)<-[:HAS_MESSAGE]-(:Chat)
RETURN p LIMIT 50;

// 7. Tool calls with their outputs and receipts.
MATCH p = (call:ToolCall)-[:RETURNED]->(output:Message)
OPTIONAL MATCH q = (call)-[:HAS_RECEIPT]->(:Receipt)
RETURN p, q LIMIT 50;

// 8. Tokens: every paid request once, however many places tell of it.
MATCH (request:Inference)
RETURN request.identity AS known_by, count(*) AS requests, sum(request.tt) AS tokens,
       sum(CASE WHEN request.conflict THEN 1 ELSE 0 END) AS conflicts;

// 9. Evidence of one request: the places that tell of it.
MATCH (request:Inference)<-[evidence:EVIDENCE]-(place)
WITH request, count(*) AS places ORDER BY places DESC, request.id LIMIT 1
MATCH p = (request)<-[:EVIDENCE]-()
RETURN p;

// 10. Text search, as `indexer find` does it: a phrase in quotes, or words.
CALL db.index.fulltext.queryNodes('content_text', 'review') YIELD node, score
MATCH (node)<-[:HAS_CONTENT]-(message:Message)
RETURN message.id AS address, message.role AS role, message.preview AS preview, score
ORDER BY score DESC
LIMIT 20;
