# SPDX-License-Identifier: GPL-2.0-only
"""Makes slips at random and sees whether the tests notice them; `make mutants-random`.

COUNT slips are tried that compile without a warning and change the object; others
are named and not counted. Works in the copy of the checkout that `make mutants` has.
Results go to BUILD/results/mutants-random.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from checks import ROOT, mutants, run_mutants, tap
from checks.slips import choose, compiled, covering, guarded, trial
from checks.slips.slip import Slip

_OUTCOMES = {trial.KILLED: tap.PASSED, trial.LIVED: tap.FAILED,
             trial.EQUIVALENT: tap.SKIPPED, trial.BROKEN: tap.SKIPPED}


RESULTS, LIVED = "results/mutants-random", "lived"


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--budget", type=int, default=900, help="seconds for each slip")
    parser.add_argument("--stock", default="6.12", help="the kernel of the module")
    parser.add_argument("--kinds", default="", help="unit,guest,...: these tests only")
    parser.add_argument("--tree", default="tree",
                        help="the copy below BUILD/mutants; one for each run at a time")
    parser.add_argument("--again", type=Path, help="a file: the slips that it lists")
    parser.add_argument("prefixes", nargs="*", help="files that slips are in; all if none")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.prefixes = [word for words in args.prefixes for word in words.split(",") if word]
    args.kinds = [word for word in args.kinds.split(",") if word]
    return args


def show(slip, verdict):
    """Prints one verdict; returns it as a result."""
    word = "LIVED" if verdict.word == trial.LIVED else verdict.word
    reason = f" ({verdict.reason})" if verdict.reason else ""
    print(f"  {word:10} {slip.name}: {slip.what}{reason}", flush=True)
    return tap.Result(f"{slip.name}: {slip.what}", _OUTCOMES[verdict.word],
                      verdict.reason)


def listed(path):
    """The slips of a file that note() has written."""
    return [Slip(**json.loads(line))
            for line in path.read_text(encoding="utf-8").splitlines()]


def note(path, slips):
    """Writes slips, a line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(asdict(slip))}\n" for slip in slips),
                    encoding="utf-8")


def select(stream, compiler, args):
    """The slips to try, and {slip: verdict} of those that are not tried."""
    wanted, others = [], {}
    for slip in stream:
        if len(wanted) == args.count:
            break
        said = compiler.judge(slip)
        if said == compiled.CHANGED:
            wanted.append(slip)
        else:
            others[slip] = trial.Verdict(
                trial.EQUIVALENT if said == compiled.SAME else trial.BROKEN)
    return wanted, others


def chosen_rows(args):
    """The rows of the table for the files and the kinds of tests that are wanted."""
    known, found = set(choose.files(ROOT, args.prefixes)), {}
    for name, row in covering.read().items():
        row = [tests for tests in row if not args.kinds or tests[0].kind in args.kinds]
        if row and name in known:
            found[name] = row
    if not found:
        raise mutants.ListError("no file has these tests")
    return found


def prepare(args, table):
    """The tree, with the kernels that say how objects of a table are compiled."""
    tree = run_mutants.Tree(args.build, args.tree)
    if not guarded.works(tree.path):
        raise mutants.ListError("no namespaces (unshare): a slip could do harm")
    goals = []
    if any(name.startswith(run_mutants.KERNEL) for name in table):
        goals.append("kernel/x86_64/bzImage")
    if any(name.startswith("module/") for name in table):
        goals.append(f"stock/{args.stock}/tree/perfmon.ko")
    build(tree, goals)
    return tree


def build(tree, goals):
    """Builds targets, or ends with an error."""
    wrong = run_mutants.build_all(tree, goals)
    if wrong:
        raise mutants.ListError(wrong)


def build_guests(tree, rows):
    """Builds the files of the guests in rows: tests may be newer than the copy."""
    build(tree, sorted({f"guest/{run_mutants.variant(tests[0])}.cpio"
                        for row in rows for tests in row if tests[0].cpu}))


def run(args):
    """Tries the slips; returns the results."""
    table = chosen_rows(args)
    tree = prepare(args, table)
    if args.again:
        args.count = sys.maxsize
        stream = listed(args.again)
    else:
        stream = choose.Chooser(tree.path, args.seed, sorted(table))
    wanted, others = select(stream, compiled.Compiler(tree.path, args.stock), args)
    results = [show(slip, verdict) for slip, verdict in others.items()]
    build_guests(tree, [table[slip.file] for slip in wanted])
    tried = trial.Trial(tree, table, args.budget)
    tried.learn_first(wanted)
    verdicts = {}
    for slip in wanted:
        verdicts[slip] = tried.judge(slip)
        results.append(show(slip, verdicts[slip]))
    note(args.build / RESULTS / LIVED,
         [slip for slip in wanted if verdicts[slip].word == trial.LIVED])
    return results


def main():
    """Prints the verdicts and their sum."""
    args = parse_arguments()
    try:
        results = run(args)
    except (mutants.ListError, covering.TableError, LookupError) as error:
        sys.exit(f"mutants-random: {error}")
    run_mutants.finish(args.build / RESULTS, "mutants-random", results,
                       ("killed", "lived", "equivalent or not compiled"))


if __name__ == "__main__":
    main()
