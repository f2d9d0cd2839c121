// All conversations: size and last activity
MATCH (root:Chat {kind: 'root'})
RETURN root.id AS conversation, root.messages AS messages, root.tool_calls AS tool_calls, root.originals AS originals,
       root.ended_at AS last_activity
ORDER BY last_activity DESC, conversation
LIMIT 200
