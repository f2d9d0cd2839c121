"""Following changes: events are hints where to look, a look at everything is the truth.

`hints` collects what changed, `events` hears of it from watchdog, `mounts` and `limits` tell where and how
far events can be relied upon, `watcher` looks again in rounds, `crashed` tells running jobs from dead ones,
`heartbeat`, `metrics` and `supervisor` say how it goes.
"""
