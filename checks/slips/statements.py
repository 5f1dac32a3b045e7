# SPDX-License-Identifier: GPL-2.0-only
"""Slips of whole statements and of conditions.

Each function of KINDS takes a source.Function and types.Scope, and yields offsets into the
function's body and the text that takes their place: (first, end, new).
"""

import re

from checks.slips import source, types

_CONDITION = re.compile(r"\b(if|while)\s*\(")
_LOCK = re.compile(
    r"^(?:\w*(?:lock|unlock|trylock|rcu_read|smp_|barrier|preempt_|local_irq|refcount"
    r"|synchronize|freeze|thaw|cpus_read|disable_irq|enable_irq|fence)\w*)\s*\(")
_KEYWORDS = re.compile(r"^(?:if|for|while|switch|do|else|case|default|return|goto|break"
                       r"|continue)\b|^\w+:(?!:)|^\}")
_ORDERED = re.compile(r"\b(READ_ONCE|WRITE_ONCE|smp_load_acquire|smp_store_release)\(")


def conditions(body):
    """The spans of what if and while ask, without the parentheses."""
    for match in _CONDITION.finditer(body):
        end = source.closing(body, match.end() - 1)
        if end > 0:
            yield match.end(), end


def negated(function, _scope):
    """A condition is the other way round."""
    for first, end in conditions(function.body):
        text = function.text[first:end]
        plain = re.fullmatch(r"!\s*(\w+|\([^()]*\))", text)
        yield first, end, plain.group(1) if plain else f"!({text})"


def dropped(function, _scope):
    """One of several conditions is missing, or all of them."""
    body = function.body
    for match in _CONDITION.finditer(body):
        first, end = match.end(), source.closing(body, match.end() - 1)
        if end < 0:
            continue
        inside = body[first:end]
        if match.group(1) == "if":
            yield match.start(), end + 1, ""
        for mark in ("&&", "||"):
            parts = source.split(inside, (mark,))
            if len(parts) < 2 or mark == "&&" and len(source.split(inside, ("||",))) > 1:
                continue
            for number in range(len(parts)):
                rest = [function.text[first + a:first + b].strip()
                        for i, (a, b) in enumerate(parts) if i != number]
                yield first, end, f" {mark} ".join(rest)


def _without_loops(body):
    """A body whose semicolons within parentheses are blanks."""
    text, depth = [], 0
    for character in body:
        depth += {"(": 1, ")": -1}.get(character, 0)
        text.append(" " if character == ";" and depth else character)
    return "".join(text)


def _simple(body):
    """The spans of the statements without braces, and the code of each."""
    body = _without_loops(body)
    for match in re.finditer(r"(?<=[;{})])(\s*)([^;{}\s][^;{}]*;)", " ;" + body):
        first, end = match.start(2) - 2, match.end(2) - 2
        text = body[first:end]
        # What follows a condition without braces.
        while True:
            head = re.match(r"(?:else\s+)?(?:if|for|while|\w*for_each\w*)\s*\(|else\b", text)
            if not head:
                break
            skipped = head.end()
            if text[skipped - 1] == "(":
                skipped = source.closing(text, skipped - 1) + 1
            if not skipped or skipped >= len(text):
                break
            rest = text[skipped:]
            first += skipped + len(rest) - len(rest.lstrip())
            text = rest.lstrip()
        if text.strip(";") and source.closing(f"({text})", 0) == len(text) + 1:
            yield first, end, text


def left_out(function, _scope):
    """A statement is missing."""
    for first, end, text in _simple(function.body):
        if (not _KEYWORDS.match(text) and not _LOCK.match(text)
                and not types.declared(text.rstrip(";"))):
            yield first, end, "{}"


def unlocked(function, _scope):
    """A lock, its release or a barrier is missing."""
    for first, end, text in _simple(function.body):
        if _LOCK.match(text):
            yield first, end, "{}"
    body = function.body
    for match in _ORDERED.finditer(body):
        end = source.closing(body, match.end() - 1)
        if end < 0:
            continue
        parts = [function.text[match.end() + a:match.end() + b].strip()
                 for a, b in source.split(body[match.end():end], (",",))]
        target = f"*({parts[0]})" if match.group(1).startswith("smp") else parts[0]
        yield match.start(), end + 1, " = ".join([target, *parts[1:]])


def loops(function, _scope):
    """break and continue are mistaken for each other."""
    for match in re.finditer(r"\b(break|continue);", function.body):
        other = "continue" if match.group(1) == "break" else "break"
        yield match.start(1), match.end(1), other


KINDS = {
    "condition negated": negated,
    "condition dropped": dropped,
    "statement left out": left_out,
    "lock or barrier left out": unlocked,
    "break and continue": loops,
}
