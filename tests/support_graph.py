"""Small graphs for tests of the answers, told in the words of the field."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import md5
from typing import Any, LiteralString

from indexer.ingest.aggregates import SUMMARISE_CHATS
from indexer.migrations import migrations
from indexer.store.connection import Store

CREATE_NODES: LiteralString = """
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.props
RETURN row.key AS key, elementId(n) AS id
"""
CREATE_RELATIONSHIPS: LiteralString = """
UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.from
MATCH (b) WHERE elementId(b) = row.to
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.props
"""
SIX = ("pt", "ct", "tt", "cct", "cwt", "rt")
T0 = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """A time of the small graphs: minutes after noon of 1 September 2026."""
    return T0 + timedelta(minutes=minutes)


@dataclass
class Told:
    """A graph under construction. Every method that adds a node gives its id back."""

    nodes: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    labels: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    rels: list[tuple[str, tuple[str, str], tuple[str, str], dict[str, Any]]] = field(default_factory=list)
    evidence: dict[str, list[tuple[tuple[str, str], dict[str, Any]]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    inferences: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    """Paid request of each meta line, by the line's address."""
    _next: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    # ------------------------------------------------------------ nodes

    def node(self, label: str, key_: str, /, **props: Any) -> str:
        kept = {name: value for name, value in props.items() if value is not None}
        self.nodes.setdefault((label, key_), {}).update(kept)
        self.labels.setdefault((label, key_), [label])
        return key_

    def chat(self, path: str, kind: str = "root", handed_last: int = -1, **props: Any) -> str:
        name = path.rsplit("/", 1)[-1]
        counts = {"messages": 0, "tool_calls": 0, "bytes": 0, "originals": 0, "missing": False}
        return self.node(
            "Chat", path, id=path, name=name, kind=kind, handed_last=handed_last, **counts, **props
        )

    def job(self, path: str, status: str = "done", **props: Any) -> str:
        parts = path.rsplit("/", 3)[1:]
        props.setdefault("missing", False)
        return self.node(
            "Job",
            path,
            id=path,
            ref="/".join(parts),
            name=parts[-1],
            workflow=parts[0],
            task=parts[1],
            status=status,
            **props,
        )

    def say(
        self,
        chat: str,
        role: str,
        text: str,
        copy_of: str | None = None,
        origin: str = "own",
        synthetic: bool | None = None,
        norm_bytes: int | None = None,
        **props: Any,
    ) -> str:
        """One message; its address."""
        index = self._next[chat]
        self._next[chat] += 1
        size = len(text.encode())
        address = f"{chat}#{index}"
        key = md5(f"{role}\0{text}".encode()).hexdigest()
        text_key = md5(text.encode()).hexdigest()
        self.node(
            "Message",
            address,
            id=address,
            index=index,
            role=role,
            lineage=md5(address.encode()).hexdigest(),
            content_key=key,
            preview=text[:150],
            bytes=size,
            norm_bytes=size if norm_bytes is None else norm_bytes,
            line=1 + 2 * index,
            synthetic=synthetic,
            origin=origin,
            **props,
        )
        self.node("Content", text_key, key=text_key, text=text, bytes=size)
        self.rel("HAS_MESSAGE", ("Chat", chat), ("Message", address))
        self.rel("HAS_CONTENT", ("Message", address), ("Content", text_key))
        if index:
            self.rel("NEXT", ("Message", f"{chat}#{index - 1}"), ("Message", address))
        counts = self.nodes[("Chat", chat)]
        counts["messages"] += 1
        counts["bytes"] += size
        if copy_of is not None:
            self.rel("COPY_OF", ("Message", address), ("Message", copy_of))
        elif not synthetic:
            counts["originals"] += 1
        return address

    def first(self, chat: str) -> str:
        """The synthetic first message."""
        return self.say(chat, "user", "", synthetic=True)

    def meta(
        self,
        chat: str,
        inference: str | None = None,
        tokens: tuple[int, ...] = (),
        provider: str | None = None,
        handed: bool = False,
        payer: str | None = None,
        reas: str = "",
        **props: Any,
    ) -> str:
        """A meta line; with `inference` also its evidence. `tokens` are pt, ct, tt and so on."""
        values = dict(zip(SIX, tokens, strict=False))
        text = " ".join(f"{name}={value}" for name, value in values.items())
        text += f" inference_id={inference}" if inference else ""
        text += f" reas={reas}" if reas else ""
        if inference is None and "job_ref" not in props:
            props["unknown_tokens"] = True
        address = self.say(chat, "meta", text, **props)
        if inference is not None:
            self.requests[address] = inference
            self._evidence(
                inference, ("Message", address), chat, "chat_meta", handed, values, provider, payer
            )
        return address

    def call(self, chat: str, tool: str, call_id: str, arguments: str = "{}", **props: Any) -> str:
        props.setdefault("status", "success")
        text = f'{{"name":"{tool}","arguments":{arguments},"id":"{call_id}"}}'
        key = md5(arguments.encode()).hexdigest()
        address = self.say(
            chat, "function_call", text, tool=tool, call_id=call_id, arguments_key=key, **props
        )
        self.labels[("Message", address)] = ["Message", "ToolCall"]
        self.nodes[("Chat", chat)]["tool_calls"] += 1
        return address

    def output(self, chat: str, call: str, text: str = "ok", **props: Any) -> str:
        call_id = self.nodes[("Message", call)].get("call_id")
        address = self.say(
            chat, "function_call_output", f'{{"id":"{call_id}","content":"{text}"}}', call_id=call_id, **props
        )
        self.rel("RETURNED", ("Message", call), ("Message", address))
        return address

    def receipt(
        self,
        call: str,
        output: str,
        position: int = 0,
        job: str | None = None,
        job_ref: str | None = None,
        inference: str | None = None,
        tokens: tuple[int, ...] = (),
        handed: bool = False,
        provider: str | None = None,
        malformed: str | None = None,
        payer: str | None = None,
        key: str = "agent_meta",
    ) -> str:
        """One receipt entry of an output."""
        address = f"{output}/{key}/{position}"
        made = self.nodes[("Message", call)]
        chat = call.rsplit("#", 1)[0]
        self.node(
            "Receipt",
            address,
            id=address,
            call_id=made.get("call_id"),
            tool=made.get("tool"),
            job_ref=job_ref or job,
            inference=inference,
            malformed=malformed,
        )
        self.rel("HAS_RECEIPT", ("Message", call), ("Receipt", address))
        if job is not None:
            self.rel("RECEIPT_OF", ("Receipt", address), ("Job", job))
        if inference is not None:
            values = dict(zip(SIX, tokens, strict=False))
            self._evidence(inference, ("Receipt", address), chat, "receipt", handed, values, provider, payer)
        return address

    def _evidence(
        self,
        inference: str,
        place: tuple[str, str],
        chat: str,
        source: str,
        handed: bool,
        values: dict[str, int],
        provider: str | None,
        payer: str | None,
    ) -> None:
        props = {"source": source, "chat": chat, "handed": handed, "provider_response_id": provider, **values}
        self.evidence[inference].append((place, {n: v for n, v in props.items() if v is not None}))
        if payer is not None:
            self.inferences.setdefault(inference, {})["payer"] = payer

    # ------------------------------------------------------------ relationships

    def rel(self, type_: str, source: tuple[str, str], target: tuple[str, str], /, **props: Any) -> None:
        self.rels.append((type_, source, target, {n: v for n, v in props.items() if v is not None}))

    def works(self, chat: str, job: str, *addresses: str, basis: str = "default") -> None:
        """JOB: the chat's own work."""
        places = list(addresses) or [f"{chat}#0"]
        self.rel("JOB", ("Chat", chat), ("Job", job), basis=basis, addresses=places, refs=[job] * len(places))

    def asks(
        self,
        chat: str,
        job: str,
        *addresses: str,
        call_id: str = "k",
        tool: str = "ask",
        basis: str = "called",
    ) -> None:
        """AGENT_JOB: the chat's own work, by receipts."""
        n = len(addresses)
        self.rel(
            "AGENT_JOB",
            ("Chat", chat),
            ("Job", job),
            basis=basis,
            addresses=list(addresses),
            refs=[job] * n,
            call_ids=[call_id] * n,
            tools=[tool] * n,
        )

    def context(
        self, chat: str, job: str, *addresses: str, relation: str = "job", basis: str = "inherited"
    ) -> None:
        """CONTEXT: what the chat only inherited or shares."""
        places = list(addresses) or [f"{chat}#0"]
        extra = (
            {"call_ids": ["k"] * len(places), "tools": ["ask"] * len(places)}
            if relation == "agent_job"
            else {}
        )
        self.rel(
            "CONTEXT",
            ("Chat", chat),
            ("Job", job),
            relation=relation,
            basis=basis,
            addresses=places,
            refs=[job] * len(places),
            **extra,
        )

    def depends(self, job: str, on: str, position: int = 0) -> None:
        self.rel("DEPENDENCY", ("Job", job), ("Job", on), position=position)

    def log(self, job: str, chat: str) -> None:
        self.rel("LOG", ("Job", job), ("Chat", chat))

    def result(self, job: str, chat: str) -> None:
        self.rel("RESULT", ("Job", job), ("Chat", chat))

    def ran_with(self, chat: str, digest: str, agent: str, preview: str) -> None:
        self.node(
            "Instructions",
            digest,
            digest=digest,
            agent=agent,
            text_key=digest,
            preview=preview,
            bytes=len(preview),
        )
        self.rel("RAN_WITH", ("Chat", chat), ("Instructions", digest))

    def problem(self, kind: str, about: tuple[str, str], detail: str, line: int | None = None) -> None:
        address = about[1]
        key = f"{address}!{kind}@{line or ''}"
        self.node(
            "Problem",
            key,
            id=key,
            kind=kind,
            address=address,
            path=address.split("#")[0],
            line=line,
            stage="read",
            detail=detail,
        )
        self.rel("ABOUT", ("Problem", key), about)

    # ------------------------------------------------------------ loading

    def finish(self) -> None:
        """Rank the evidence: chat metas first, then in the order told; the first is canonical."""
        for inference, places in self.evidence.items():
            places.sort(key=lambda place: place[1]["source"] != "chat_meta")
            first = places[0][1]
            tokens = {name: first[name] for name in SIX if name in first}
            payer = self.inferences.get(inference, {}).get("payer", first["chat"])
            counted = {tuple(p.get(n, 0) for n in ("pt", "ct", "tt")) for _, p in places}
            providers = {p["provider_response_id"] for _, p in places if "provider_response_id" in p}
            lacking = any("provider_response_id" not in p for _, p in places)
            identity = f"inference_id:{inference}"
            self.node(
                "Inference",
                identity,
                id=identity,
                identity="inference_id",
                payer=payer,
                **tokens,
                conflict=len(counted) > 1 or len(providers) > 1,
                incomplete_evidence=bool(providers) and lacking,
            )
            for rank, (place, props) in enumerate(places):
                paid = not props["handed"] and props["chat"] == payer
                self.rel("EVIDENCE", place, ("Inference", identity), rank=rank, paid=paid, **props)
        self.evidence.clear()

    def load(self, store: Store, *, schema: bool = True, batch: int = 5000) -> None:
        """Write everything into an empty store."""
        if schema:
            for migration in migrations():
                for statement in migration.statements:
                    store.implicit(statement)
            store.implicit("CALL db.awaitIndexes(60)")
        self.finish()
        ids: dict[tuple[str, str], str] = {}
        keys = list(self.nodes)
        for start in range(0, len(keys), batch):
            part = keys[start : start + batch]
            rows = [{"key": list(key), "labels": self.labels[key], "props": self.nodes[key]} for key in part]
            for record in store.write(CREATE_NODES, {"rows": rows}):
                ids[tuple(record["key"])] = record["id"]
        for start in range(0, len(self.rels), batch):
            rows = [
                {"type": type_, "from": ids[source], "to": ids[target], "props": props}
                for type_, source, target, props in self.rels[start : start + batch]
            ]
            store.write(CREATE_RELATIONSHIPS, {"rows": rows})
        chats = [key for label, key in keys if label == "Chat"]
        for start in range(0, len(chats), 100):
            store.write(SUMMARISE_CHATS, {"chats": chats[start : start + 100]})
