# SPDX-License-Identifier: GPL-2.0-only
"""Which fields and variables have the same type, as far as the text shows it.

A guess is enough: what does not compile is no slip.
"""

import re
from pathlib import Path

from checks.slips import source

_STRUCT = re.compile(r"\b(?:struct|union)\s+\w*\s*\{")
_DECLARATION = re.compile(
    r"^\s*((?:static\s+|const\s+|volatile\s+|unsigned\s+|signed\s+)*"
    r"(?:(?:struct|union|enum)\s+\w+|\w+)(?:\s+(?:int|long|char|const))*)"
    r"\s+(\**\s*\w+(?:\[[^\]]*\])*(?:\s*(?:=|:)[^,;]*)?"
    r"(?:,\s*\**\s*\w+(?:\[[^\]]*\])*(?:\s*(?:=|:)[^,;]*)?)*)$", re.DOTALL)
_NAME = re.compile(r"\s*(\**)\s*(\w+)((?:\[[^\]]*\])*)")
_NO_TYPES = {"return", "goto", "else", "case", "do", "break", "continue", "sizeof"}


def declared(statement):
    """{name: type} of a declaration; empty if it is none."""
    match = _DECLARATION.match(statement)
    if not match or match.group(1).split()[0] in _NO_TYPES:
        return {}
    found = {}
    base = " ".join(word for word in match.group(1).split() if word != "static")
    for first, end in source.split(match.group(2), ","):
        name = _NAME.match(match.group(2)[first:end])
        if name:
            found[name.group(2)] = base + name.group(1) + "[]" * bool(name.group(3))
    return found


def variables(function):
    """{name: type} of the parameters and the local variables of a function."""
    found = {}
    first = function.head.rfind("(", 0, function.head.rfind(")"))
    if first >= 0:
        inside = function.head[first + 1:function.head.rfind(")")]
        for start, end in source.split(inside, ","):
            found.update(declared(" ".join(inside[start:end].split())))
    for part in re.split(r"[;{}]", function.body):
        part = re.sub(r"^\s*for\s*\(", "", part)
        found.update(declared(part.strip("\n")))
    return found


def fields(texts):
    """{field: names of its siblings}, the fields of its type beside it."""
    found = {}
    for text in texts:
        code = source.code_of(text)
        for match in _STRUCT.finditer(code):
            end = source.closing(code, match.end() - 1)
            members = {}
            for part in re.split(r"[;{}]", code[match.end():end]):
                members.update(declared(part.strip()))
            for name, kind in members.items():
                found.setdefault(name, set()).update(
                    other for other, its in members.items()
                    if its == kind and other != name)
    return {name: sorted(others) for name, others in found.items() if others}


def fields_of(tree, folders):
    """The same of all sources and headers in the folders of a tree."""
    paths = sorted(path for folder in folders
                   for path in Path(tree, folder).rglob("*.[ch]"))
    return fields(path.read_text(encoding="utf-8") for path in paths)
