# SPDX-License-Identifier: GPL-2.0-only
"""Tests english.py and prose.py with texts of its own; writes TAP."""

from checks import english, prose
from checks.unit import compare

THIRTY = " ".join(["word"] * 30)
THIRTY_ONE = " ".join(["word"] * 31)


def seen(path, source):
    """The phrases of a text, with their lines."""
    return [f"{line} {phrase}" for line, phrase in english.phrases(path, source)]


def lengths(path, source):
    """The numbers of words of its sentences."""
    return [words for _, words in prose.sentences(path, source)]


LIST = "# Why.\na.c 3 0\nb.md 1 2\n"

PHRASES = (
    ("each phrase is found", seen("a.md", "That of, those of, Nobody, such, goes on, is "
                                  "told, tells of, of which, whoever, what is."),
     ["1 that of", "1 those of", "1 nobody", "1 such", "1 goes on", "1 is told",
      "1 tells of", "1 of which", "1 whoever", "1 what is"]),
    ("longer words are others", seen("a.md", "suchlike, nobody_is, that office"), []),
    ("a comment of C is searched", seen("a.c", "int such; /* such */ // nobody\n"),
     ["1 such", "1 nobody"]),
    ("a message of C is searched", seen("a.c", 'puts("no such file");\n'), ["1 such"]),
    ("names in C are not", seen("a.h", "struct such nobody;\n"), []),
    ("a quotation mark in a character begins no string",
     seen("a.c", "x = '\"'; such = '\"';\n"), []),
    ("a phrase wraps in a comment", seen("a.c", "/*\n * The lock is that\n * of X.\n */"),
     ["2 that of"]),
    ("a phrase wraps in a message", seen("a.c", '"the lock is that "\n"of X"'),
     ["1 that of"]),
    ("a phrase wraps in a script", seen("a", "# Is that\n# of X?\n"), ["1 that of"]),
    ("comments apart are no phrase", seen("a.c", "/* that */ int x; /* of */"), []),
    ("scripts are searched whole", seen("a.py", 'x = "such"  # such\n'),
     ["1 such", "1 such"]),
    ("code in a page is none", seen("a.md", "A `such` and ``nobody``.\n"), []),
    ("a macro is no word of a page", seen("a.1", ".B what\nis\n"), ["1 what is"]),
    ("the user nobody is a name",
     seen("a", "su nobody -s sh; the user nobody; id -g nobody\n"), []),
)

SENTENCES = (
    ("30 words are allowed", english.long_sentences("a.md", THIRTY + "."), []),
    ("31 are not", english.long_sentences("a.md", f"A.\n\n{THIRTY_ONE}."), [(3, 31)]),
    ("programs have no sentences", english.long_sentences("a.c", THIRTY_ONE), []),
    ("a sentence ends where the next begins", lengths("a.md", "One two. Three? Four!"),
     [2, 1, 1]),
    ("not at an abbreviation", lengths("a.md", "One, e.g. two, i.e. three."), [5]),
    ("code is one word", lengths("a.md", "`a b c` and ``d e``."), [3]),
    ("an address is none", lengths("a.md", "See [the page](some/where it is)."), [3]),
    ("list items are apart", lengths("a.md", "- one two\n  three\n- four\n"), [3, 1]),
    ("a number that ends a sentence is no item", lengths("a.rst", "One is 0. Two is 1.\n"),
     [3, 3]),
    ("cells are apart", lengths("a.md", "| one | two three |\n"), [1, 2]),
    ("code blocks are left out", lengths("a.md", "one\n\n    code code\n\n```\nx\n```\n"),
     [1]),
    ("in a list, too", lengths("a.md", "- one\n\n  two\n\n      code\n"), [1, 1]),
    ("literal blocks are left out", lengths("a.rst", "One::\n\n  code\n\nTwo three.\n"),
     [1, 2]),
    ("directives are left out", lengths("a.rst", ".. code-block:: c\n\n  code\n\nOne.\n"),
     [1]),
    ("notes are not", lengths("a.rst", ".. note::\n\n  One two.\n"), [2]),
    ("headings are apart", lengths("a.rst", "One two\n=======\n\nThree.\n"), [2, 1]),
    ("macros of fonts go on", lengths("a.1", "One\n.BR two (3),\n.B three four\nfive.\n"),
     [5]),
    ("tags are apart", lengths("a.1", ".TP\n.B one two\nThree.\n.PP\nFour.\n"),
     [2, 1, 1]),
    ("examples are left out", lengths("a.1", "One\n.EX\ntwo\n.EE\nthree.\n"), [1, 1]),
)

JUDGED = (
    ("as many as allowed pass", english.judge("a.c", "/* such */", (1, 0)), []),
    ("more are named, with their lines", english.judge("a.c", "/* such */", (0, 0)),
     ['a.c:1: "such"', "a.c: 1 phrases, at most 0"]),
    ("long sentences, too", english.judge("a.md", f"{THIRTY_ONE}.", (0, 0)),
     ["a.md:1: a sentence of 31 words, at most 30", "a.md: 1 long sentences, at most 0"]),
    ("fewer ask for a lower line", english.judge("a.c", "/* such */", (2, 0)),
     ["checks/english-allow: lower it (make english-allowed): a.c 1 0"]),
    ("none ask for no line", english.judge("a.c", "", (2, 0)),
     ["checks/english-allow: lower it (make english-allowed): no line of a.c"]),
    ("the list is lowered", english.lowered(LIST, {"a.c": (1, 0), "b.md": (1, 2)}),
     "# Why.\na.c 1 0\nb.md 1 2\n"),
    ("and never raised", english.lowered(LIST, {"a.c": (4, 1), "b.md": (0, 3)}),
     "# Why.\na.c 3 0\nb.md 0 2\n"),
    ("files that have gone leave it", english.lowered(LIST, {"a.c": (3, 0)}),
     "# Why.\na.c 3 0\n"),
    ("licences are skipped", bool(english.SKIPPED.fullmatch("lib/LICENSE")), True),
)


if __name__ == "__main__":
    compare(PHRASES + SENTENCES + JUDGED)
