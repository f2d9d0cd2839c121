"""The server's configuration file. All folders are the defaults under its home, so no path stands in it."""

from __future__ import annotations

from indexer.store.local.layout import Layout, write_private
from indexer.store.local.state import HOST

SETTINGS = {
    "server.default_listen_address": HOST,
    "server.default_advertised_address": HOST,
    "server.bolt.tls_level": "DISABLED",
    "server.http.enabled": "true",
    "server.https.enabled": "false",
    "dbms.security.auth_enabled": "true",
    # Nothing here calls home: neither the server nor the Browser that it serves.
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "server.memory.pagecache.size": "128m",
    # Default checkpoints leave gigabytes of logs behind a bulk load, and minutes of recovery after a kill.
    "db.checkpoint.interval.time": "30s",
    "db.tx_log.preallocate": "false",
    "db.tx_log.rotation.size": "16m",
    "db.tx_log.rotation.retention_policy": "keep_none",
    "db.logs.query.enabled": "OFF",
    # Without this a stop waits ten seconds for nobody.
    "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
}


def write(layout: Layout, bolt_port: int, http_port: int) -> None:
    """Write `neo4j.conf` for these ports, whole: a setting given twice would stop the start."""
    settings = dict(SETTINGS)
    for kind, port in (("bolt", bolt_port), ("http", http_port)):
        settings[f"server.{kind}.listen_address"] = f"{HOST}:{port}"
        settings[f"server.{kind}.advertised_address"] = f"{HOST}:{port}"
    text = "".join(f"{key}={value}\n" for key, value in settings.items())
    write_private(layout.conf / "neo4j.conf", text)
