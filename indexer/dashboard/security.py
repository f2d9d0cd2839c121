"""What stands before every page: which hosts, who may read, and what a page may load.

Pages hold whatever models, tools and web pages wrote into chats. So nothing is fetched from elsewhere, no
inline script or style runs, nothing can be changed by a request, and a page of another site can neither frame
this one nor reach it under a name of its own (DNS rebinding).
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
COOKIE = "indexer_token"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """ASGI middleware: only known hosts, only GET and HEAD, only with the token where there is one."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str | None = None) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer refusals here; all else goes on to the pages, and gets the headers on its way back."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        answer: ASGIApp = refusal if refusal is not None else self.app

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await answer(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if hostname(headers.get("host", "")) not in self.hosts:
            return PlainTextResponse("This server does not go by that name.\n", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Pages are only read here.\n", 405, {"Allow": "GET, HEAD"})
        return None if self.token is None else self._without_token(scope, headers, self.token)

    def _without_token(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), None)
        if given is not None and _equal(given, token):
            # The token leaves the address bar, so that it is not handed on with a link.
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + quote(scope["path"].lstrip("/\\"))  # two slashes would name another host
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
            return response
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if _equal(bearer, token) or _equal(_cookie(headers), token):
            return None
        return PlainTextResponse("A token is needed: open the address that `indexer serve` printed.\n", 401)


def hostname(host: str) -> str:
    """The name in a Host header, without its port."""
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
