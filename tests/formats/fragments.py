"""Texts for property tests, rich in what the formats give a meaning to."""

from __future__ import annotations

from hypothesis import strategies as st

CHAT_FRAGMENTS = (
    *(
        "```",
        "```py",
        "[[",
        "]]",
        " {{{",
        " }}}",
        "{{{",
        "<a>",
        "</a>",
        '<b x="1">',
        "</b>",
        "<a ",
        "<a",
        ">",
        "</",
    ),
    *(
        "<c>",
        "</c></a>",
        "user:",
        "meta: ",
        "agent: x",
        "previous_response_id: r",
        "x:",
        "1: 2",
        "_:",
        "\\note:",
    ),
    *(
        "\\x: y",
        "\\",
        "sh:-- ls {{{",
        "sh:-- ls }}}",
        "A:-- q {{{ z",
        "x :-- b {{{",
        "a:b:-- {{{",
        "x:--b }}}",
    ),
    *(
        "x:-- }}}",
        ":-- ",
        " ",
        "  ",
        "\t",
        "\r",
        "\0",
        "\f",
        "\v",
        "\n",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "\xa0",
        "\u2028",
    ),
    *("\ufeff", "ñ", "🙂", "a", "Z", "9", "text"),
)

META_FRAGMENTS = (
    *(
        "a",
        "pt",
        "ct",
        "pt_c",
        "reas",
        "job",
        "inference_id",
        "=",
        "=",
        "=",
        '"',
        '"',
        "\\",
        '\\"',
        '" b=',
        " ",
        " ",
    ),
    *(
        "  ",
        "\n",
        "\t",
        "\v",
        "1",
        "007",
        "-5",
        "1.5",
        "99999999999999999999",
        "x=",
        "pt=1 ",
        "ñ",
        "\xa0",
        "q",
    ),
)

#: Bytes that begin, continue, cut short and spoil UTF-8 sequences, among plain text.
BROKEN_FRAGMENTS = (
    *(b"user:", b"\n", b"a", b"\xc3", b"\xa9", b"\xe2\x82", b"\xac", b"\xf0\x9f", b"\x98\x80", b"\xff"),
    *(b"\xed\xa0\x80", b"\xf4\x90", b"\xc0", "é🙂".encode(), b"<t>", b"</t\xff>", b"</t>", b"`", b"\xfe``"),
)

chat_texts = st.lists(st.sampled_from(CHAT_FRAGMENTS), max_size=40).map("".join)
meta_texts = st.lists(st.sampled_from(META_FRAGMENTS), max_size=20).map("".join)
broken_bytes = st.lists(st.sampled_from(BROKEN_FRAGMENTS), max_size=30).map(b"".join)
