# SPDX-License-Identifier: GPL-2.0-only
"""Slips within an expression: limits, operators, operands, errors.

The functions are like these of checks.slips.statements.
"""

import re

from checks.slips import source

_SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_RELATION = re.compile(r"(?<=\s)(<=|>=|<|>)(?=\s)")
_ONE = re.compile(r"\s*[+-]\s*1\b(?![.\w])")
_OPERATORS = ((r"(?<=\s)&&(?=\s)", "||"), (r"(?<=\s)\|\|(?=\s)", "&&"),
              (r"(?<=\s)[+]=(?=\s)", "="), (r"(?<=\s)\|=(?=\s)", "="),
              (r"(?<=\s)[+](?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"),
              (r"(?<=\s)==(?=\s)", "!="), (r"(?<=\s)!=(?=\s)", "=="),
              (r"[+][+](?=\))", "--"), (r"(?<=\w)\s<<\s(?=\w)", " >> "))
_ERROR = re.compile(r"-E[A-Z0-9]{2,}\b|\bPFMLIB_ERR_\w+")
_RESULT = re.compile(r"\breturn\s+(true|false|0|-1)\s*;")
_RESULTS = {"true": ["false"], "false": ["true"], "0": ["-1", "1"], "-1": ["0"]}
_CALL = re.compile(r"\b(?!if\b|for\b|while\b|switch\b|return\b|sizeof\b)(\w+)\(")
_FIELD = re.compile(r"(?:->|(?<=[\w\])])\.)(\w+)\b(?!\()")
_NAME = re.compile(r"(?<![\w.>])[a-z_]\w*\b(?!\()")
_CONSTANT = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b(?!\()")


def off_by_one(function, _scope):
    """A limit belongs to the other side, or 1 is not added."""
    body = function.body
    for match in _RELATION.finditer(body):
        yield match.start(), match.end(), _SWAPPED[match.group(1)]
    for match in _ONE.finditer(body):
        yield match.start(), match.end(), ""
    for match in re.finditer(r"(?<=[=]\s)0(?=;[^;{}]+;[^;{}]+\))", body):
        yield match.start(), match.end(), "1"
    for match in re.finditer(r"\[([a-z]\w*)\]", body):
        if not re.match(r"\s*=\s*\{", body[match.end():]):
            yield match.end(1), match.end(1), " + 1"


def operators(function, _scope):
    """An operator is its neighbour or its opposite."""
    for pattern, new in _OPERATORS:
        for match in re.finditer(pattern, function.body):
            yield match.start(), match.end(), new


def errors(function, scope):
    """The error is another one of the file, or none; a result is another one."""
    body = function.body
    for match in _ERROR.finditer(body):
        for other in [*scope.errors, "0"]:
            if other != match.group() and other[:4] in (match.group()[:4], "0", "-EPE"):
                yield match.start(), match.end(), other
    for match in _RESULT.finditer(body):
        for other in _RESULTS[match.group(1)]:
            yield match.start(1), match.end(1), other


def arguments(function, _scope):
    """Two arguments of a call, one beside the other, change places."""
    body = function.body
    for match in _CALL.finditer(body):
        end = source.closing(body, match.end() - 1)
        if end < 0:
            continue
        inside = body[match.end():end]
        spans = [source.trimmed(inside, span) for span in source.split(inside, (",",))]
        text = function.text[match.end():end]
        for one, other in zip(spans, spans[1:]):
            if text[slice(*one)] != text[slice(*other)]:
                yield (match.end() + one[0], match.end() + other[1],
                       text[slice(*other)] + text[one[1]:other[0]] + text[slice(*one)])


def siblings(function, scope):
    """A field is another of the same type, a constant another of its family."""
    body = function.body
    for match in _FIELD.finditer(body):
        for other in scope.fields.get(match.group(1), ()):
            yield match.start(1), match.end(1), other
    for match in _CONSTANT.finditer(body):
        for other in scope.relatives(match.group()):
            yield match.start(), match.end(), other


def _used(body):
    """The uses of names, apart from what declares them."""
    for match in _NAME.finditer(body):
        line = body[body.rfind("\n", 0, match.start()) + 1:match.start()]
        if not re.match(r"\s+(?:\w+\s+)*(?:struct|unsigned|int|bool|u\d+|char|const|long"
                        r"|size_t|uint\d+_t)\b[^=(]*$", line):
            yield match


def variables(function, scope):
    """A variable is another of the same type."""
    body = function.body
    for match in _used(body):
        kind = scope.variables.get(match.group())
        if kind is None or body[match.end():match.end() + 2] == "->":
            continue
        for other, its in scope.variables.items():
            if its == kind and other != match.group():
                yield match.start(), match.end(), other


def objects(function, scope):
    """A field is another object's."""
    body = function.body
    for match in _used(body):
        rest = body[match.end():match.end() + 2]
        kind = scope.variables.get(match.group())
        if kind is None or not (rest == "->" or rest[:1] == "."):
            continue
        for other, its in scope.variables.items():
            if its == kind and other != match.group():
                yield match.start(), match.end(), other


KINDS = {
    "off by one": off_by_one,
    "wrong operator": operators,
    "error exchanged": errors,
    "arguments swapped": arguments,
    "wrong field or constant": siblings,
    "wrong variable": variables,
    "field of the wrong object": objects,
}
