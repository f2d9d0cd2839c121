// Jobs that failed or never came to an end
MATCH (job:Job)
WHERE NOT job.status IN ['done', 'noinfo'] AND NOT job.missing
RETURN job.ref AS job, job.status AS status, job.start AS start, job.error AS error
ORDER BY start DESC
LIMIT 100
