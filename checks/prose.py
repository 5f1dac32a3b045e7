# SPDX-License-Identifier: GPL-2.0-only
"""The sentences of Markdown, reStructuredText and manual pages, for english.py.

Code and tables drawn with characters are left out. Headings, list items, the cells
of Markdown's tables and the tags of manual pages are paragraphs of their own.
Code in backquotes is one word.
"""

import re

MARKDOWN, RST, MAN = "md", "rst", "man"

ABBREVIATION = r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\betc\.)(?<!\bvs\.)"
SENTENCE_END = re.compile(r"(?<=[.?!])" + ABBREVIATION + r"[\"')*\]]*\s+")
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.|#\.)\s+")
LITERAL = re.compile(r"\.\. (?!note|warning|tip|important)\S")
DIRECTIVE = re.compile(r"\.\. \w+::|:\w[\w-]*:(\s|$)")
TABLE_EDGE = re.compile(r"\s*[=+|-][=+|\s-]*\s[=+|-][=+|\s-]*|\s*\+[-=+]+\+")
UNDERLINE = re.compile(r"([-=~^\"'`#*+.])\1{2,}\s*")
PAIRED = re.compile(r"\.(BR|RB|BI|IB|IR|RI) ")
SPLITTING = re.compile(r"\.(SH|SS|TP|TQ|PP|P|LP|IP|RS|RE|br|sp|ne|TH)\b")
SKIPPED_FROM = {".nf": ".fi", ".EX": ".EE", ".TS": ".TE"}


def kind(path):
    """Which of the three a file is, or None."""
    if path.endswith(".md"):
        return MARKDOWN
    if path.endswith(".rst"):
        return RST
    return MAN if re.fullmatch(r".*\.[1-8]", path) else None


class Paragraphs:
    """Collects lines to (line number, text)."""

    def __init__(self):
        self.found = []
        self.number = 0
        self.lines = []

    def end(self):
        """The next line begins a paragraph."""
        if self.lines:
            self.found.append((self.number, " ".join(self.lines)))
        self.lines = []

    def add(self, number, line):
        """The paragraph goes on, or begins, with LINE."""
        if not self.lines:
            self.number = number
        self.lines.append(line.strip())

    def alone(self, number, *texts):
        """Each of TEXTS is a paragraph."""
        self.end()
        for text in texts:
            self.add(number, text)
            self.end()


def indent(line):
    """The spaces before a line's text, behind the mark of a list's item."""
    item = ITEM.match(line)
    return item.end() if item else len(line) - len(line.lstrip())


def markdown(lines):
    """The paragraphs of a Markdown file."""
    pages = Paragraphs()
    is_fenced = is_code = is_comment = False
    depth = 0
    for number, line in enumerate(lines, 1):
        is_comment = is_comment or line.startswith("<!--")
        if is_comment:
            is_comment = "-->" not in line
        elif line.lstrip().startswith("```"):
            is_fenced = not is_fenced
            pages.end()
        elif is_fenced:
            continue
        elif not line.strip():
            pages.end()
        elif line.startswith("#"):
            pages.alone(number, line.lstrip("# "))
            depth = 0
        elif line.lstrip().startswith("|"):
            pages.alone(number, *line.strip().strip("|").split("|"))
        elif ITEM.match(line):
            pages.end()
            pages.add(number, ITEM.sub("", line))
            depth = indent(line)
        else:
            is_code = indent(line) >= depth + 4 and (is_code or not pages.lines)
            if not is_code:
                pages.add(number, line)
                depth = min(depth, indent(line))
    pages.end()
    return pages.found


def rst(lines):
    """The paragraphs of a reStructuredText file."""
    pages = Paragraphs()
    # Lines that are indented deeper than this are code.
    code = None
    is_table = False
    depth = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            pages.end()
            is_table = is_table and number < len(lines) and not TABLE_EDGE.fullmatch(
                lines[number - 2])
            continue
        if code is not None and indent(line) > code:
            continue
        code = None
        if TABLE_EDGE.fullmatch(line):
            is_table = True
            pages.end()
        elif is_table:
            pages.alone(number, *re.split(r"\s{2,}", line.strip()))
        elif UNDERLINE.fullmatch(line):
            pages.end()
        elif LITERAL.match(line.lstrip()):
            pages.end()
            code = len(line) - len(line.lstrip())
        elif DIRECTIVE.match(line.lstrip()):
            pages.end()
        else:
            if ITEM.match(line) or indent(line) != depth:
                pages.end()
            depth = indent(line)
            pages.add(number, ITEM.sub("", line))
        if pages.lines and line.rstrip().endswith("::"):
            code = len(line) - len(line.lstrip())
    pages.end()
    return pages.found


def macro_text(line):
    """What a line of a manual page prints."""
    words = re.findall(r'"([^"]*)"|(\S+)', PAIRED.sub("", line))
    if PAIRED.match(line):
        return "".join(quoted or plain for quoted, plain in words)
    line = re.sub(r"^\.[A-Za-z]+\s*", "", line)
    return line.replace('"', "")


def man(lines):
    """The paragraphs of a manual page."""
    pages = Paragraphs()
    until = ""
    is_tag = False
    for number, line in enumerate(lines, 1):
        word = line.split(" ")[0].strip()
        if until:
            until = "" if word == until else until
        elif line.startswith((".\\\"", "'\\\"")) or not line.strip():
            continue
        elif word in SKIPPED_FROM:
            pages.end()
            until = SKIPPED_FROM[word]
        elif SPLITTING.match(line):
            pages.end()
            is_tag = word in (".TP", ".TQ")
        else:
            pages.add(number, macro_text(line))
            if is_tag:
                pages.end()
            is_tag = False
    pages.end()
    return pages.found


def plain(text):
    """A paragraph as it is read: without addresses and marks."""
    text = re.sub(r"``[^`]*``|:\w+:`[^`]*`|`[^`<]*`(?!_)", "code", text)
    text = re.sub(r"`([^`<]*)<[^>]*>`_+", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\\f.|\\&|\\\|", "", text).replace("\\-", "-")


def sentences(path, source):
    """The sentences of a file, as (line that its paragraph begins in, words)."""
    readers = {MARKDOWN: markdown, RST: rst, MAN: man}
    reader = readers.get(kind(path))
    if not reader:
        return []
    return [(line, len(re.findall(r"\S*\w\S*", sentence)))
            for line, text in reader(source.splitlines())
            for sentence in SENTENCE_END.split(plain(text))]
