// What several writers and watchers keep beside the graph. Every statement may be run again.

CREATE CONSTRAINT link_path IF NOT EXISTS FOR (n:Link) REQUIRE n.path IS UNIQUE;
CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (n:Lease) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT watcher_id IF NOT EXISTS FOR (n:Watcher) REQUIRE n.id IS UNIQUE;

CREATE INDEX file_folder IF NOT EXISTS FOR (n:File) ON (n.folder);

MATCH (f:File) WHERE f.folder IS NULL
SET f.folder = left(f.path, size(f.path) - size(split(f.path, '/')[-1]) - 1);
