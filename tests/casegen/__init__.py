"""A generator of the case study: chats and jobs of known truth, the same for the same settings.

`generate(out, Settings(...))` writes the tree and gives its truth; `check` compares a tree with its truth
without trusting the generator; `expect` turns a truth into the answers that the program must give.
"""

from .generate import generate
from .settings import Settings

__all__ = ["Settings", "generate"]
