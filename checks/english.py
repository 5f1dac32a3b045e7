# SPDX-License-Identifier: GPL-2.0-only
"""Finds English that is hard to read: phrases, and sentences of more than 30 words.

usage: python3 -m checks.english            compares with checks/english-allow
       python3 -m checks.english PATH...    prints each finding in these files
       python3 -m checks.english --lower    lowers the counts of checks/english-allow

The phrases are searched in all files of the project: in C and its like in comments
and strings, elsewhere in all lines. A phrase may wrap. Sentences are measured in
Markdown, reStructuredText and manual pages only (checks/prose.py). Text in backquotes
is code there.

Each line of checks/english-allow is "PATH PHRASES SENTENCES": so many of them the
file may have. A file without a line may have none. A file that has fewer than its
line allows is an error as well, so that the counts only shrink.
"""

import re
import subprocess
import sys
from pathlib import Path

from checks import ROOT, prose

ALLOW = "checks/english-allow"
MOST_WORDS = 30

PHRASES = ("that of", "those of", "such", "goes on", "is told", "tells of",
           "of which", "whoever", "what is")
# The user of that name is meant after "user" and "-g", and before "-s SHELL".
NOBODY = r"(?<!user )(?<!-g )nobody(?!:x:| -s\b)"
PHRASE = re.compile(
    r"\b(?:" + "|".join([phrase.replace(" ", r"\s+") for phrase in PHRASES] +
                        [NOBODY]) + r")\b", re.IGNORECASE)

# Others wrote the licences and most of what patches show; the last two list the phrases.
SKIPPED = re.compile(r"LICENSES/.*|COPYING|.*/LICENSE|.*\.patch|"
                     r"checks/english\.py|checks/unit/test_english\.py")

C_LIKE = re.compile(r".*\.(c|h|cc|hh|S|s|rs|go)(\.in)?")
C_TEXT = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|"(?P<string>(?:\\.|[^"\\\n])*)"|'
                    r"'(?:\\.|[^'\\\n])*'", re.DOTALL)
LEADER = re.compile(r"^[ \t]*(?:#+|\*+|//+)", re.MULTILINE)
BETWEEN_STRINGS = re.compile(r'(?:\\n)?"\s*[fr]?"')
CODE = re.compile(r"(`+)(?:(?!\n\n).)+?\1", re.DOTALL)


def blank(found):
    """As many spaces; lines stay lines."""
    return re.sub(r"[^\n]", " ", found.group())


def text_of_c(source):
    """Comments and strings; all else is one character, which no phrase contains."""
    parts = []
    end = 0
    for found in C_TEXT.finditer(source):
        between = source[end:found.start()]
        parts.append(between if not between.strip() else
                     re.sub(r"[^\n]", ";", between))
        is_text = found["comment"] is not None or found["string"] is not None
        parts.append(found.group() if is_text else ";" * len(found.group()))
        end = found.end()
    parts.append(re.sub(r"[^\n]", ";", source[end:]))
    return "".join(parts)


def searched_text(path, source):
    """What of a file is searched for phrases; positions are kept."""
    if C_LIKE.fullmatch(path):
        source = text_of_c(source)
    elif prose.kind(path) in (prose.MARKDOWN, prose.RST):
        source = CODE.sub(lambda code: re.sub(r"[^\n]", ";", code.group()), source)
    elif prose.kind(path) == prose.MAN:
        source = re.sub(r"^\.[A-Za-z]+", blank, source, flags=re.MULTILINE)
    source = BETWEEN_STRINGS.sub(blank, source)
    return LEADER.sub(blank, source)


def phrases(path, source):
    """The phrases of a file, as (line, phrase)."""
    text = searched_text(path, source)
    return [(text.count("\n", 0, found.start()) + 1,
             " ".join(found.group().lower().split()))
            for found in PHRASE.finditer(text)]


def long_sentences(path, source):
    """The sentences of a page that are too long, as (line, number of words)."""
    return [(line, words) for line, words in prose.sentences(path, source)
            if words > MOST_WORDS]


def findings(path, source):
    """Both, as lines of text."""
    found = [(line, f'"{phrase}"') for line, phrase in phrases(path, source)]
    found += [(line, f"a sentence of {words} words, at most {MOST_WORDS}")
              for line, words in long_sentences(path, source)]
    return [f"{path}:{line}: {text}" for line, text in sorted(found)]


def sources(root):
    """The files of the project and their text."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=True).stdout
    for path in sorted(filter(None, listed.split("\0"))):
        file = root / path
        if file.is_file() and not file.is_symlink() and not SKIPPED.fullmatch(path):
            try:
                yield path, file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def read_allowed(text):
    """Path: (phrases, sentences) of a list."""
    rows = [line.split() for line in text.splitlines()
            if line and not line.startswith("#")]
    return {path: (int(words), int(long)) for path, words, long in rows}


def judge(path, source, allowed):
    """What is wrong with a file that may have so many (phrases, sentences)."""
    found = (len(phrases(path, source)), len(long_sentences(path, source)))
    wrong = [f"{path}: {count} {what}, at most {most}"
             for count, most, what in zip(found, allowed,
                                          ("phrases", "long sentences"))
             if count > most]
    if wrong:
        return findings(path, source) + wrong
    if found != allowed:
        return [f"{ALLOW}: lower it (make english-allowed): {row(path, found)}"]
    return []


def row(path, counts):
    """A line of the list; none for a file without findings."""
    return f"{path} {counts[0]} {counts[1]}" if any(counts) else f"no line of {path}"


def lowered(text, counts):
    """A list with its counts lowered to (phrases, sentences) of each path."""
    lines = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            (path, allowed), = read_allowed(line).items()
            fewer = tuple(map(min, allowed, counts.get(path, (0, 0))))
            if not any(fewer):
                continue
            line = row(path, fewer)
        lines.append(line + "\n")
    return "".join(lines)


def compare(root):
    """What is wrong in the project, as lines."""
    allowed = read_allowed((root / ALLOW).read_text(encoding="utf-8"))
    wrong = []
    for path, source in sources(root):
        wrong += judge(path, source, allowed.pop(path, (0, 0)))
    return wrong + [f"{ALLOW}: there is no {path} (make english-allowed)"
                    for path in allowed]


def lower(root):
    """Lowers the counts in the list."""
    text = (root / ALLOW).read_text(encoding="utf-8")
    counts = {path: (len(phrases(path, source)), len(long_sentences(path, source)))
              for path, source in sources(root)}
    (root / ALLOW).write_text(lowered(text, counts), encoding="utf-8")


def main():
    """Prints what is wrong; the status says whether something is."""
    words = sys.argv[1:]
    if words == ["--lower"]:
        lower(ROOT)
        return
    if any(word.startswith("-") for word in words):
        sys.exit(__doc__)
    if words:
        found = [line for word in words for line in
                 findings(word, Path(word).read_text(encoding="utf-8"))]
    else:
        found = compare(ROOT)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
