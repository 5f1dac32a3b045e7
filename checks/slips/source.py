# SPDX-License-Identifier: GPL-2.0-only
"""Looks at C source as text: where code and functions are.

The sources keep the kernel's style, in which a function begins and ends with a brace
in the first column.
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

_HIDDEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)
_OPEN, _CLOSE = "([{", ")]}"


def code_of(text):
    """TEXT with comments and directives as blanks of the same length, strings empty."""
    def blank(match):
        text = match.group()
        if text[0] in "\"'":
            return text[0] + "_" * (len(text) - 2) + text[0]
        return re.sub(r"[^\n]", " ", text)
    return _HIDDEN.sub(blank, text)


@dataclass(frozen=True)
class Function:
    """One function of a source: offsets into its text, and its code.

    HEAD is the code from what precedes the parameters to the brace, BODY the code
    between the braces, TEXT the same with comments and strings, FIRST their offset.
    """

    head: str
    body: str
    text: str
    first: int


class Source:
    """A source file: its name, its text, its code, its functions."""

    def __init__(self, name, text):
        self.name, self.text, self.code = name, text, code_of(text)

    @functools.cached_property
    def functions(self):
        """The functions, in order."""
        found = []
        for match in re.finditer(r"\)[^;{}]*\n\{\n(.*?)^\}", self.code,
                                 re.DOTALL | re.MULTILINE):
            start = max(self.code.rfind(mark, 0, match.start())
                        for mark in (";", "\n}")) + 1
            found.append(Function(self.code[start:match.start(1)],
                                  match.group(1), self.text[match.start(1):match.end(1)],
                                  match.start(1)))
        return found

    def line(self, offset):
        """The number of the line that an offset is in."""
        return self.text.count("\n", 0, offset) + 1


def read(tree, name):
    """The source with a name below TREE."""
    return Source(name, Path(tree, name).read_text(encoding="utf-8"))


def closing(code, at):
    """The offset of what closes the bracket at AT, -1 if nothing does."""
    depth = 0
    for place in range(at, len(code)):
        if code[place] in _OPEN:
            depth += 1
        elif code[place] in _CLOSE:
            depth -= 1
            if not depth:
                return place
    return -1


def split(code, marks):
    """The spans of the parts of CODE between MARKS that no bracket is around."""
    spans, depth, first, at = [], 0, 0, 0
    while at < len(code):
        mark = next((m for m in marks if code.startswith(m, at)), "")
        if code[at] in _OPEN:
            depth += 1
        elif code[at] in _CLOSE:
            depth -= 1
        if mark and not depth:
            spans.append((first, at))
            first = at + len(mark)
            at = first
            continue
        at += 1
    spans.append((first, len(code)))
    return spans


def trimmed(code, span):
    """A span without the blanks at its ends."""
    first, end = span
    part = code[first:end]
    return first + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
