#!/usr/bin/env python3
"""Adds up JUnit files written by ctest: sum_tests.py FILE... prints `PASSED FAILED SKIPPED`.

A test that ctest could not run at all (its program is missing) counts as failed, not as skipped. So does a
file that is missing or broken: a ctest run that wrote nothing has not passed.
"""
import sys
import xml.etree.ElementTree as ElementTree


def outcome(case):
    if case.get("status") == "run":
        return "passed"
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return "skipped"
    return "skipped" if case.get("status") == "disabled" else "failed"


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in sys.argv[1:]:
        try:
            cases = ElementTree.parse(path).getroot().findall("testcase")
        except (OSError, ElementTree.ParseError):
            counts["failed"] += 1
            continue
        for case in cases:
            counts[outcome(case)] += 1
    print(counts["passed"], counts["failed"], counts["skipped"])


main()
