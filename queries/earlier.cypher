// What a root is best compared with: conversations that it continues, share its work, or came just before it.
//
// For a job the jobs of the same task instead of conversations. The best comes first.
//
// Parameters:
//   root   STRING   id of a chat or job; where one path is both, the job when it has an info
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   other          STRING   root chat or job
//   continued      BOOLEAN  the root says so: import, continue or last
//   shared_jobs    INTEGER  jobs that both reach, context included
//   same_folder    BOOLEAN  it stands in the folder of the root; of a job: it has the same task
//   before         BOOLEAN  it is not known to be the later one
//   last_activity  STRING   latest time written in it
//   total          INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param skip => 0
//   :param limit => 100

OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
WITH root, left(root.id, size(root.id) - size(root.name)) AS folder,
     CASE WHEN root:Chat THEN root.ended_at ELSE coalesce(root.end, root.issued) END AS last
CALL (root) {
  MATCH (root)-[:IMPORTS|CONTINUES|LAST]->(o:Chat)
  WHERE o.kind = 'root' AND o <> root
  RETURN DISTINCT o, true AS continued, 0 AS jobs
UNION ALL
  MATCH (root)-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*1..]->(j)
  WITH DISTINCT root, j
  WHERE root:Chat AND j:Job
  MATCH (j)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*1..]-(o)
  WITH DISTINCT root, j, o
  WHERE o:Chat AND o.kind = 'root' AND o <> root
  RETURN o, false AS continued, count(*) AS jobs
UNION ALL
  MATCH (o:Chat {kind: 'root'})
  WHERE root:Chat AND o <> root AND NOT o.missing AND (o.ended_at <= root.ended_at OR root.ended_at IS NULL)
  WITH root, o ORDER BY left(o.id, size(o.id) - size(o.name)) = left(root.id, size(root.id) - size(root.name)) DESC,
       coalesce(o.ended_at, datetime('0001-01-01T00:00:00Z')) DESC, o.id DESC
  LIMIT 5
  RETURN o, false AS continued, 0 AS jobs
UNION ALL
  MATCH (o:Job)
  WHERE root:Job AND o.ref STARTS WITH left(root.ref, size(root.ref) - size(root.name)) AND o <> root AND NOT o.missing
  WITH o ORDER BY coalesce(o.issued, datetime('0001-01-01T00:00:00Z')) DESC, o.id DESC
  LIMIT 50
  RETURN o, false AS continued, 0 AS jobs
}
WITH root, folder, last, o, max(continued) AS continued, sum(jobs) AS jobs,
     CASE WHEN o:Chat THEN o.ended_at ELSE coalesce(o.end, o.issued) END AS at
WITH o, continued, jobs, at, o:Job OR left(o.id, size(o.id) - size(o.name)) = folder AS near,
     coalesce(at <= last, true) AS before
ORDER BY continued DESC, before DESC, jobs DESC, near DESC, coalesce(at, datetime('0001-01-01T00:00:00Z')) DESC, o.id
WITH collect([o, continued, jobs, near, before, at]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row[0].id AS other, row[1] AS continued, row[2] AS shared_jobs, row[3] AS same_folder, row[4] AS before,
       toString(row[5]) AS last_activity, size(rows) AS total;
