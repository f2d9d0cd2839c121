// What each agent paid: every request once
MATCH (request:Inference)
MATCH (payer:Chat {id: request.payer})
RETURN coalesce(payer.agent, '(conversation)') AS agent, count(request) AS requests, sum(request.pt) AS prompt,
       sum(request.ct) AS completion, sum(request.tt) AS total
ORDER BY total DESC
