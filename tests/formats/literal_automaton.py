"""The automaton of FORMAT.md 1.2 and 1.3 once more, line by line as the table says: slow and plain.

The fast parser is tested against it, and its speed measured.
"""

from __future__ import annotations

import re

BLANKS = "\0\t\n\v\f\r "


def literal_parse(text: str) -> list[tuple[str, str, bool]]:
    """The (role, content, synthetic) of each message of `text`."""
    lines = text.split("\n")
    while lines and lines[-1] == "":
        lines.pop()
    messages: list[tuple[str, str, bool]] = []
    role, buffer = "user", ""
    protection: str | None = None
    stack: list[str] = []
    for line in lines:
        st = line.strip(BLANKS)
        if st.startswith("```"):  # rule 1
            if protection is None:
                protection = "ticks"
                buffer += "\n" + line
            elif protection == "ticks":
                protection = None
                buffer += "\n" + line
            continue
        if protection == "square" and st.endswith("]]"):  # rule 2
            protection = None
            line = line.replace("]]", "", 1)
            if line.strip(BLANKS):
                buffer += "\n" + line
            continue
        if st.startswith("[["):  # rule 3
            protection = "square"
            line = line.replace("[[", "", 1)
            if line.strip(BLANKS):
                buffer += "\n" + line
            continue
        if re.match(r"[^\s]*:-- .* {{{", st, re.ASCII):  # rule 4; the rewriting sees the raw line
            protection = "square"
            line = re.sub(r"\A[^\s]*:-- (.*) {{{.*", r'<cmd_output cmd="\1">', line, flags=re.ASCII)
            buffer += "\n" + line
            continue
        if protection == "square" and re.match(r".*:--.* }}}", st):  # rule 5; the same, and it wants a blank
            protection = None
            line = re.sub(r"\A.*:-- .* }}}.*", "</cmd_output>", line)
            buffer += "\n" + line
            continue
        if protection is not None:  # rule 6
            if protection == "xml":
                closer = re.search(r"</(\w+)>", st, re.ASCII)
                if closer:
                    if stack and stack[-1] == closer[1]:
                        stack.pop()
                    if not stack:
                        protection = None
            buffer += "\n" + line
            continue
        opener = re.match(r"<(\w+)(\s+[^>]*)?>", st, re.ASCII)
        if opener and f"</{opener[1]}>" in text:  # rule 7
            stack.append(opener[1])
            protection = "xml"
            buffer += "\n" + line
            continue
        header = re.fullmatch(r"([a-z0-9_]+):(.*)", line)
        if header:  # rule 8, and 1.3
            inline = header[2].strip(BLANKS)
            content = buffer.strip(BLANKS)
            buffer = ""
            if content:
                messages.append((role, content, False))
            elif not messages:
                messages.append((role, "", True))
            if not inline:
                role = header[1]
            else:
                messages.append((header[1], inline, False))
                if header[1] in ("previous_response_id", "agent"):
                    role = "user"
        elif re.match(r"\\([a-z0-9_]+):", line):  # rule 9
            buffer += "\n" + line[1:]
        else:  # rule 10
            buffer += "\n" + line
    if buffer:
        messages.append((role, buffer.strip(BLANKS), False))
    return messages
