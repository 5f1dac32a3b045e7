# SPDX-License-Identifier: GPL-2.0-only
"""Tests of slips at random; TAP. Run by check-unit."""

import tempfile
from pathlib import Path

from checks import ROOT
from checks.unit import compare
from checks.slips import choose, compiled, source, types
from checks.slips.slip import Slip

HEAD = """\
struct pair {
	int first, second;
	const char *name;
};

"""


def slips(kind, *lines, head="int f(struct pair *one, struct pair *two, int n)"):
    """The lines that slips of a kind make of the last of LINES in a function."""
    text = HEAD + head + "\n{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"
    first = text.index("\n{\n") + 3
    found = choose.slips_of(source.Source("a.c", text), types.fields([text]))
    return sorted(
        slip.changed(text)[first:].rpartition("}")[0].splitlines()[len(lines) - 1].strip()
        for kinds in found.values() for slip in kinds.get(kind, ())
        if text[first:slip.at].count("\n") == len(lines) - 1)


def changed(old, new):
    """What a slip makes of a text of three lines."""
    text = "a\nb(c,\n  d)\ne\n"
    return Slip("a.c", 2, text.index(old), old, new, "kind").changed(text)


def restored():
    """Whether a tree is what it was after a slip, and was not in between."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.c")
        path.write_text("one two", encoding="utf-8")
        before = Slip("a.c", 1, 4, "two", "2", "kind").apply(name)
        between = path.read_text(encoding="utf-8")
        return between, before


def drawn(seed, count=5):
    """The first slips of a seed in a folder of the checkout."""
    stream = iter(choose.Chooser(ROOT, seed, choose.files(ROOT, ["lib/calls/"])))
    return [next(stream) for _ in range(count)]


NOISE = 'int f(int n)\n{\n\t/* if (n) return; */\n\tputs("if (n)"); /* x\n\ty(); */\n}\n'

# name, what came, what has to
TESTS = (
    ("a condition is negated",
     slips("condition negated", "if (n > 1)", ), ["if (!(n > 1))"]),
    ("a negation is taken away",
     slips("condition negated", "while (!n)"), ["while (n)"]),
    ("a condition is dropped, alone or with its if",
     slips("condition dropped", "if (n && one->name) return 1;"),
     ["if (n) return 1;", "if (one->name) return 1;", "return 1;"]),
    ("conditions that are mixed are not taken apart at the weaker operator's side",
     slips("condition dropped", "while (n && one || two)"),
     ["while (n && one)", "while (two)"]),
    ("a statement is left out",
     slips("statement left out", "if (n) one->first = 1;"), ["if (n) {}"]),
    ("a statement below conditions is left out without them",
     slips("statement left out", "for (n = 0; n < 3; n++) if (n) g(n);"),
     ["for (n = 0; n < 3; n++) if (n) {}"]),
    ("returns and declarations are not left out",
     slips("statement left out", "int i = 3; return i;"), []),
    ("a lock is left out",
     slips("lock or barrier left out", "mutex_lock(&s->lock);"), ["{}"]),
    ("the order of an access is left out",
     slips("lock or barrier left out", "WRITE_ONCE(s->a, n);"), ["s->a = n;"]),
    ("break and continue are exchanged",
     slips("break and continue", "break;"), ["continue;"]),
    ("limits belong to the other side",
     slips("off by one", "while (n < 3)"), ["while (n <= 3)"]),
    ("one is not added",
     slips("off by one", "n = one->first + 1;"), ["n = one->first;"]),
    ("the element is the next one",
     slips("off by one", "n = one->list[n];"), ["n = one->list[n + 1];"]),
    ("the size of an array stays",
     slips("off by one", "char text[64];"), []),
    ("a loop begins later",
     slips("off by one", "for (n = 0; n != 3; n++)"), ["for (n = 1; n != 3; n++)"]),
    ("an error is another one of the file, or none",
     slips("error exchanged", "g(-EIO);", "return -EINVAL;"), ["return 0;"]),
    ("an error is -EPERM if the file has it",
     slips("error exchanged", "g(-EPERM);", "return -EINVAL;"),
     ["return -EPERM;", "return 0;"]),
    ("a result is the other one",
     slips("error exchanged", "return true;"), ["return false;"]),
    ("arguments change places",
     slips("arguments swapped", 'g(n, "a,b", h(1));'),
     ['g("a,b", n, h(1));', 'g(n, h(1), "a,b");']),
    ("a field is another one of its type",
     slips("wrong field or constant", "n = one->first;"), ["n = one->second;"]),
    ("a field without another one of its type stays",
     slips("wrong field or constant", "g(one->name);"), []),
    ("a constant is another one of its family",
     slips("wrong field or constant", "g(AN_A, OF_B);", "n = AN_C;"), ["n = AN_A;"]),
    ("a variable is another one of its type",
     slips("wrong variable", "int m;", "g(n);"), ["g(m);"]),
    ("a field is another object's",
     slips("field of the wrong object", "g(one->first);"), ["g(two->first);"]),
    ("comments, strings and directives have no slips",
     [(slip.line, slip.what) for kinds in choose.slips_of(
         source.Source("a.c", NOISE), {}).values() for its in kinds.values()
      for slip in its], [(4, 'statement left out: puts("if (n)"); -> {}')]),
    ("later lines keep their numbers", changed("(c,\n  d)", "()"), "a\nb()\n\ne\n"),
    ("a slip is undone", restored(), ("one 2", {"a.c": "one two"})),
    ("a seed has the same slips each time", drawn(7) == drawn(7), True),
    ("another seed has others", drawn(7) == drawn(8), False),
    ("each line is drawn once",
     len({slip.name for slip in drawn(7, 60)}), 60),
    ("the compiler is found among what make says",
     compiled.compiler("mkdir -p x\n/usr/bin/ccache  cc -O2 -MD -c -o x/a.o lib/a.c\n",
                       "lib/a.c"), "cc -O2 -MD -c -o x/a.o lib/a.c"),
    ("and in Kbuild's notes",
     compiled.compiler("savedcmd_k/a.o := ccache gcc -c -o k/a.o ../k/a.c   ; ./objtool k/a.o",
                       "k/a.c"), "gcc -c -o k/a.o ../k/a.c"),
    ("what it writes beside the object is left out",
     compiled.quiet("gcc -Wp,-MMD,k/.a.d -MD -c -o k/a.o ../k/a.c").split(),
     "gcc -c ../k/a.c -g0 -Werror".split()),
)


if __name__ == "__main__":
    compare(TESTS)
