# SPDX-License-Identifier: GPL-2.0-only
"""Fails if files depend on each other in a circle, and prints it.

usage: circles [--folders] OBJECT-OR-DIRECTORY...

A file depends on another if its object uses a symbol that only the other
object defines, as nm prints them; pointers in structures do not count. A
directory stands for all objects in it and below, which must be those of one
build. With --folders, folders take the place of the files in them.

A circle is printed with the symbols that lead from each file to the next. Used
by mk/lint.mk.
"""

import os
import subprocess
import sys
from pathlib import Path

WEAK = "vVwW"


def objects_of(arguments):
    """The objects that the arguments stand for."""
    found = []
    for argument in map(Path, arguments):
        if argument.is_dir():
            found += sorted(argument.rglob("*.o"))
        elif argument.is_file():
            found.append(argument)
        else:
            sys.exit(f"circles: {argument} does not exist")
    if not found:
        sys.exit("circles: there are no objects")
    return found


def symbols_of(path):
    """The symbols that an object defines, {name: type}, and those it uses."""
    text = subprocess.run(["nm", "-g", path], check=True, capture_output=True,
                          text=True).stdout
    defined, used = {}, set()
    for line in text.splitlines():
        *value, kind, name = line.split()
        if value:
            defined[name] = kind
        else:
            used.add(name)
    return defined, used


def graph_of(objects):
    """{object: {object it depends on: symbols}}."""
    symbols = {path: symbols_of(path) for path in objects}
    owner, strong = {}, {}
    for path, (defined, _) in symbols.items():
        for name, kind in defined.items():
            if kind in WEAK:
                owner.setdefault(name, path)
                continue
            if name in strong:
                sys.exit(f"circles: {strong[name]} and {path} define "
                         f"{name}: not the objects of one build")
            strong[name] = path
    owner |= strong
    graph = {path: {} for path in objects}
    for path, (_, used) in symbols.items():
        for name in sorted(used & owner.keys()):
            graph[path].setdefault(owner[name], []).append(name)
    return graph


def by_folder(graph):
    """The same graph between the folders of the objects."""
    folders = {}
    for path, edges in graph.items():
        mine = folders.setdefault(path.parent, {})
        for target, names in edges.items():
            if target.parent != path.parent:
                mine.setdefault(target.parent, []).extend(names)
    return folders


def shortest_circle(graph, start):
    """The nodes of a shortest way from start back to it, [] without one."""
    before = {}
    front = [start]
    while front:
        after = []
        for node in front:
            for target in graph[node]:
                if target == start:
                    way = [node]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return way[::-1]
                if target not in before:
                    before[target] = node
                    after.append(target)
        front = after
    return []


def circles_of(graph):
    """Shortest circles: one through each node that no earlier one contains."""
    seen, circles = set(), []
    for node in graph:
        if node in seen:
            continue
        circle = shortest_circle(graph, node)
        seen.update(circle)
        if circle:
            circles.append(circle)
    return circles


def show(graph, circle, top):
    """Prints a circle, with the symbols of each step."""
    def name(node):
        return os.path.relpath(node, top).removesuffix(".o")

    print(f"a circle of {len(circle)}:", file=sys.stderr)
    for node, target in zip(circle, circle[1:] + circle[:1]):
        print(f"  {name(node)} uses {name(target)}: "
              f"{' '.join(graph[node][target])}", file=sys.stderr)


def main():
    """Prints the circles, and fails if there are any."""
    words = sys.argv[1:]
    folders = words[:1] == ["--folders"]
    if folders:
        words = words[1:]
    if not words:
        sys.exit("usage: circles [--folders] OBJECT-OR-DIRECTORY...")
    objects = objects_of(words)
    graph = graph_of(objects)
    if folders:
        graph = by_folder(graph)
    circles = circles_of(graph)
    top = os.path.commonpath([path.parent for path in objects])
    for circle in circles:
        show(graph, circle, top)
    sys.exit(1 if circles else 0)


if __name__ == "__main__":
    main()
