"""Generated cases of other names, shapes and sizes: all figures equal the generator's books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.casegen.generate import generate
from tests.casegen.settings import Settings
from tests.linking.books import Case

VARIANTS: list[dict[str, Any]] = [
    {},
    {"backup": "before"},
    {"backup": "none", "info_times": False},
    {"message_times": False},
    {"info_times": False, "message_times": False, "import_line": False, "earlier_root": False},
    {"import_line": False, "earlier_root": False},
    {"sessions": 3, "bulk": 2},
]


@pytest.mark.parametrize("layout", ["legacy", "modern", "mixed"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(variant) or "plain")
def test_generated_case(tmp_path: Path, layout: Any, variant: dict[str, Any]) -> None:
    seed = 100 + 3 * VARIANTS.index(variant) + len(layout)
    root = tmp_path.resolve() / "case"
    truth = generate(root, Settings(seed=seed, layout=layout, scale=0.01, **variant))
    assert Case(root, truth).differences() == []
