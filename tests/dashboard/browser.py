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
from pathlib import Path
from typing import Any

from indexer.dashboard.links import page
from indexer.dashboard.rows import LISTS

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
#: As wide as a page of 1280 pixels is at 200 % and at 400 %.
NARROW = (640, 320)
FOCUSABLE = "a[href], button:not([hidden]), input:not([type=hidden]), select, summary, [tabindex='0']"


def addresses(root: str, other: str) -> dict[str, str]:
    """The pages, by a short name."""
    return {
        "conversations": "/",
        "filtered": "/?q=chat&sort=tokens",
        "provenance": page("/root", id=root),
        "unfolded": page("/root", id=root, context="open", steps="all"),
        "panel": page("/root", id=root, box=f"chat:{root}"),
        "why": page("/why", root=root, target=root),
        "new": page("/diff", b=root),
        "diff": page("/diff", a=other, b=root),
        "cost": page("/cost", id=root, by="tool"),
        "chat": page("/chat", id=root),
        "message": page("/message", address=f"{root}#2", whole=1),
        "node": page("/node", kind="chat", id=root, root=root),
        **{name: page(f"/rows/{name}", root=root) for name in LISTS},
        "search": page("/search", q="the"),
        "nothing found": page("/search", q="qqqqqq"),
        "health": "/health",
        "problems": "/problems",
        "no such page": "/nothing",
        "no such root": page("/root", id="no such chat"),
    }


def listen(tab: Any, name: str, wrong: list[str]) -> None:
    """Note what the page's console says."""
    ignored = "the server responded with a status of 404"
    tab.on("console", lambda said: ignored in said.text or wrong.append(f"{name}: {said.text}"))
    tab.on("pageerror", lambda error: wrong.append(f"{name}: {error}"))


def check(tab: Any, axe: str, name: str) -> list[str]:
    """What is wrong with the page that is open."""
    wrong = too_wide(tab, name)
    session = tab.context.new_cdp_session(tab)
    session.send("Runtime.evaluate", {"expression": axe})  # past the page's own policy
    for found in tab.evaluate("axe.run(document)")["violations"]:
        wrong.append(f"{name}: axe {found['id']}: {found['nodes'][0]['html'][:120]}")
    return wrong + overlaps(tab, name)


def too_wide(tab: Any, name: str) -> list[str]:
    """Whether the page scrolls sideways."""
    over = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{name}: {over} px too wide"] if over > 0 else []


def overlaps(tab: Any, name: str) -> list[str]:
    """Texts in a picture that leave their box or touch its hatched corner."""
    found = tab.evaluate("""() => [...document.querySelectorAll(".picture .box")].flatMap((box) => {
      const frame = box.querySelector(".frame").getBoundingClientRect();
      const hatch = box.querySelector(".hatched"), corner = hatch && hatch.getBoundingClientRect();
      return [...box.querySelectorAll("text")].filter((text) => {
        const at = text.getBoundingClientRect();
        const touches = corner && at.right > corner.left && at.top < corner.bottom && at.bottom > corner.top;
        return at.right > frame.right || at.bottom > frame.bottom + 1 || touches;
      }).map((text) => text.textContent);
    })""")
    return [f"{name}: {text!r} overlaps" for text in found[:3]]


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


def odd_readers(browser: Any, address: str, name: str, shots: Path | None) -> list[str]:
    """Pages that are enlarged, in forced colours, without motion, printed, and without scripts."""
    wrong: list[str] = []
    tab = browser.new_page()
    tab.goto(address)
    for width in NARROW:
        tab.set_viewport_size({"width": width, "height": 700})
        wrong += too_wide(tab, f"{name} {width}")
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(forced_colors="active", reduced_motion="reduce")
    if shots:
        tab.screenshot(path=shots / f"{name}-forced.png")
    wrong += overlaps(tab, f"{name} forced colours")
    words = tab.evaluate("document.getElementById('main').textContent.trim().length")
    tab.close()
    session = browser.browser.new_context(java_script_enabled=False)
    bare = session.new_page()
    bare.goto(address)
    if len(bare.locator("#main").text_content().strip()) < words * 0.9:
        wrong.append(f"{name}: says less without scripts")
    session.close()
    return wrong


def main() -> int:
    """Walk through the pages."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", default="http://127.0.0.1:8642")
    parser.add_argument("--axe", required=True, type=Path)
    parser.add_argument("--root", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--only", nargs="*", help="names of pages; all without it")
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium")
    given = parser.parse_args()
    axe = given.axe.read_text()
    wrong: list[str] = []
    told = 0
    with sync_playwright() as play:
        program = play.chromium.launch(executable_path=given.chromium, args=FLAGS, headless=True)
        browser = program.new_context()
        for name, address in addresses(given.root, given.other).items():
            if given.only and name not in given.only:
                continue
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
            wrong += odd_readers(browser, given.at + address, name, given.shots)
            print("\n".join(wrong[told:]) or f"{name}: nothing wrong", flush=True)
            told = len(wrong)
        program.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
