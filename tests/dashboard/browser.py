"""Pages in a real browser: axe, overflow, keyboard, console, screenshots. By hand, against a running server.

    pip install playwright; npm pack axe-core    (axe.min.js is in it)
    indexer serve &
    python -m tests.dashboard.browser --axe package/axe.min.js --root ROOT --other ROOT --shots FOLDER

Ends with 1 where a page fails. Not part of the test run: it needs Chromium, Playwright and axe-core.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from indexer.dashboard.links import page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]
FOCUSABLE = "a[href], button:not([hidden]), input:not([type=hidden]), select, summary, [tabindex='0']"


def addresses(root: str, other: str) -> dict[str, str]:
    """The pages, by a short name."""
    return {
        "conversations": "/",
        "provenance": page("/root", id=root),
        "unfolded": page("/root", id=root, context="open"),
        "diff": page("/diff", a=other, b=root),
        "choose": "/diff",
        "cost": page("/cost", id=root),
        "chat": page("/chat", id=root),
        "calls": page("/rows/unique-tool-calls", root=root),
        "search": page("/search", q="the"),
        "health": "/health",
    }


def listen(tab: Any, name: str, wrong: list[str]) -> None:
    """Note what the page's console says."""
    tab.on("console", lambda said: wrong.append(f"{name}: {said.text}"))
    tab.on("pageerror", lambda error: wrong.append(f"{name}: {error}"))


def check(tab: Any, axe: str, name: str) -> list[str]:
    """What is wrong with the page that is open."""
    wrong: list[str] = []
    session = tab.context.new_cdp_session(tab)
    session.send("Runtime.evaluate", {"expression": axe})  # past the page's own policy
    for found in tab.evaluate("axe.run(document)")["violations"]:
        wrong.append(f"{name}: axe {found['id']}: {found['nodes'][0]['html'][:120]}")
    over = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if over > 0:
        wrong.append(f"{name}: {over} px too wide")
    return wrong


def keyboard(tab: Any, name: str) -> list[str]:
    """Tabs through the page: everything is reached, in order, and can be seen to be."""
    visible = f'[...document.querySelectorAll("{FOCUSABLE}")].filter(e => e.checkVisibility()).length'
    expected = tab.evaluate(visible)
    seen = 0
    for _ in range(min(expected, 60)):
        tab.keyboard.press("Tab")
        style = (
            "e => { const s = getComputedStyle(e); return [s.outlineStyle, s.outlineWidth, e.namespaceURI] }"
        )
        outline, width, space = tab.evaluate(f"({style})(document.activeElement)")
        if tab.evaluate("document.activeElement === document.body"):
            break
        seen += 1
        if (outline == "none" or width == "0px") and not space.endswith("svg"):
            return [f"{name}: focus cannot be seen after {seen} tabs"]
    return [] if seen >= min(expected, 60) else [f"{name}: {seen} of {expected} reached by keyboard"]


def main() -> int:
    """Walk through the pages."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", default="http://127.0.0.1:8642")
    parser.add_argument("--axe", required=True, type=Path)
    parser.add_argument("--root", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium")
    given = parser.parse_args()
    axe = given.axe.read_text()
    wrong: list[str] = []
    with sync_playwright() as play, tempfile.TemporaryDirectory() as profile:
        browser = play.chromium.launch_persistent_context(
            profile, executable_path=given.chromium, args=FLAGS, headless=True
        )
        for name, address in addresses(given.root, given.other).items():
            for width, scheme in VIEWS:
                tab = browser.new_page()
                tab.set_viewport_size({"width": width, "height": 900})
                tab.emulate_media(color_scheme=scheme)
                title = f"{name} {width} {scheme}"
                listen(tab, title, wrong)
                tab.goto(given.at + address)
                if given.shots:
                    given.shots.mkdir(parents=True, exist_ok=True)
                    tab.screenshot(path=given.shots / f"{name}-{width}-{scheme}.png")
                wrong += check(tab, axe, title)
                if (width, scheme) == VIEWS[0]:
                    wrong += keyboard(tab, title)
                tab.close()
        browser.close()
    print("\n".join(wrong) or "nothing wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
