# SPDX-License-Identifier: GPL-2.0-only
"""Picks slips at random: a line of all lines, a kind, a change of this kind.

A seed gives the same slips as long as the sources are the same.
"""

import random
from pathlib import Path

from checks.slips import operands, source, statements, types
from checks.slips.slip import Slip

FOLDERS = ("kernel", "arch", "lib", "module", "tools/pfmon")
# A program of the build; `make lint` compares what it makes.
NO_SLIPS = ("lib/events/generator/",)
KINDS = {**statements.KINDS, **operands.KINDS}

# Constants of a family that take each other's places: so many at most.
FAMILY = 12


class Scope:
    """What a slip in a function may mistake for each other."""

    def __init__(self, function, errors, fields, constants):
        self.errors, self.fields = errors, fields
        self.variables = types.variables(function)
        self._constants = constants

    def relatives(self, name):
        """The constants of a file whose names begin like NAME."""
        family = name.rpartition("_")[0]
        return [other for other in self._constants
                if other != name and other.rpartition("_")[0] == family][:FAMILY]


def files(tree, prefixes=()):
    """The sources that slips may be in, those with a name that begins like one of
    PREFIXES if there are any."""
    found = sorted(str(path.relative_to(tree)) for folder in FOLDERS
                   for path in Path(tree, folder).rglob("*.c"))
    return [name for name in found if not name.startswith(NO_SLIPS)
            and (not prefixes or name.startswith(tuple(prefixes)))]


def slips_of(text, fields):
    """All slips of a source, by line: {line: {kind: [slip, ...]}}."""
    # pylint: disable=protected-access
    errors = sorted(set(operands._ERROR.findall(text.code)))
    constants = sorted(set(operands._CONSTANT.findall(text.code)))
    found = {}
    for function in text.functions:
        scope = Scope(function, errors, fields, constants)
        for kind, candidates in KINDS.items():
            for first, end, new in candidates(function, scope):
                at = function.first + first
                old = text.text[at:function.first + end]
                line = text.line(at)
                found.setdefault(line, {}).setdefault(kind, []).append(
                    Slip(text.name, line, at, old, new, kind))
    return found


class Chooser:
    """The stream of slips of a seed: each line once at most."""

    def __init__(self, tree, seed, names):
        self.tree, self.random, self.names = tree, random.Random(seed), names
        self.fields = types.fields_of(tree, FOLDERS)
        self._found = {}

    def _slips(self, name):
        if name not in self._found:
            self._found[name] = slips_of(source.read(self.tree, name), self.fields)
        return self._found[name]

    def __iter__(self):
        lines = [(name, line) for name in self.names for line in sorted(self._slips(name))]
        self.random.shuffle(lines)
        for name, line in lines:
            kinds = self._slips(name)[line]
            kind = self.random.choice(sorted(kinds))
            yield self.random.choice(kinds[kind])
