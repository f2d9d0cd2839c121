"""The case study in a real graph for the kit's queries (as for the exports)."""

from tests.exports.conftest import case_root, e_root

__all__ = ["case_root", "e_root"]
