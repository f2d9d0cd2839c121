// Who called whom: calls with a receipt, and the jobs these name
MATCH p = (:Chat)-[:HAS_MESSAGE]->(:ToolCall)-[:HAS_RECEIPT]->(:Receipt)-[:RECEIPT_OF]->(:Job)
RETURN p LIMIT 100
