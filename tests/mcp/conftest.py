"""The case study for the tools (as for the exports)."""

from tests.exports.conftest import case_root, e_root

__all__ = ["case_root", "e_root"]
