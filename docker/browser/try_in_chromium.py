"""Try the kit in a real Neo4j Browser: connect, load the style, run a favourite, take a picture.

    python -m pip install playwright && apt-get install chromium
    python docker/browser/try_in_chromium.py http://127.0.0.1:7474 --bolt bolt://127.0.0.1:7687

`--password` is read from NEO4J_PASSWORD; without it the server is taken to ask for none. Exits with 1 where no
graph is drawn, or where the style does not show.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Fill of chats and jobs in style.grass.
COLOURS = ("#f5b841", "#4c9f70")
EDITOR = ".monaco-editor"


def main() -> int:
    """Run it; gives the exit code."""
    options = _options()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        try:
            _connect(page, options.http, options.bolt, os.environ.get("NEO4J_PASSWORD"))
            _load_style(page, (HERE / "style.grass").read_text())
            _run(page, ":clear")
            _run(page, options.favourite.read_text())
            page.wait_for_selector("svg .node, svg g.node", timeout=40_000)
            page.wait_for_timeout(4000)
            fills = page.eval_on_selector_all(
                "svg .node circle", "all => all.map(c => c.getAttribute('fill'))"
            )
        finally:
            page.screenshot(path=options.output)
            browser.close()
    styled = [fill for fill in fills if fill and fill.lower() in COLOURS]
    print(f"{len(fills)} circles drawn, {len(styled)} in the style's colours; picture: {options.output}")
    return 0 if styled else 1


def _connect(page: Page, http: str, bolt: str, password: str | None) -> None:
    page.goto(f"{http}/browser/?connectURL={bolt.replace('://', '://neo4j@')}")
    page.wait_for_selector(EDITOR, timeout=60_000)
    page.wait_for_timeout(2000)
    form = page.query_selector('[data-testid="password"]')
    if form is not None and password is not None:
        form.fill(password)
        page.click('[data-testid="connect"]')
        page.wait_for_timeout(3000)
    elif page.query_selector('[data-testid="connect"]') is not None:
        page.select_option('[data-testid="authenticationMethod"]', label="No authentication")
        page.click('[data-testid="connect"]')
        page.wait_for_timeout(3000)


def _load_style(page: Page, text: str) -> None:
    """Drop the style file on the editor, as a person does."""
    page.evaluate(
        """([selector, text]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], 'style.grass', {type: 'text/plain'}));
            const place = document.querySelector(selector);
            for (const kind of ['dragenter', 'dragover', 'drop'])
                place.dispatchEvent(
                    new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true}));
        }""",
        [EDITOR, text],
    )
    page.wait_for_timeout(1500)


def _run(page: Page, text: str) -> None:
    page.click(EDITOR)
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)
    page.wait_for_timeout(300)
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(1500)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("http", help="HTTP address of the server, e.g. http://127.0.0.1:7474")
    parser.add_argument("--bolt", required=True, help="its Bolt address")
    parser.add_argument("--favourite", type=Path, default=HERE / "favourites/01-latest-conversation.cypher")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium")
    parser.add_argument("-o", "--output", default="browser.png")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
