#!/usr/bin/env python3
"""Fails when two types of src/ have one name.

In one namespace the compiler sees one file at a time and says nothing; the linker then takes the code of one type for
both. In two, a reader takes the one for the other: one word, one thing, but for SHARED_WORDS.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace( [\w:]+)? \{")
END = re.compile(r"^\}  // namespace")
FORWARD = re.compile(r"^(?:(?:struct|class|enum class|enum) [^{}]*;)?$")
TYPE = re.compile(r"^(?:struct|class|enum(?: class)?|union) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :.*)? \{")
# Words that several namespaces may have for a type, and why.
OF_EACH_SUBJECT = "every subject has one, which plays the same part in it"
SHARED_WORDS = {
    **dict.fromkeys(("Profile", "LoadOptions", "Finding", "FindingKind", "Format", "LiveSet", "ProblemRows", "Rules",
                     "RunFacts", "TableSource"), OF_EACH_SUBJECT),
    "Block": "a stretch of memory: of a bank, or that output is read into",
    "Buffer": "memory of a device: as a log tells of it, or as the simulated device gives it",
    "CaptureOptions": "how a run is captured, and how its capture is read",
    "Check": "of a budget, or of the environment",
    "CoreRange": "a rectangle of cores: as a capture has it, or as a program is given it",
    "Device": "what decides whether a run fits, or a card with our firmware",
    "DeviceState": "of a simulated device: of ttnn's, or of tt-metal's host API",
    "PhaseUse": "of training: as the simulation measured it, or as a report of `fit` says it",
    "Place": "where something is: in an input, on a chip, in a run",
    "Report": "of `fit`, or of the library that is served",
}


def types_in(lines):
    """(namespace, name, line) of every type that is defined where other files could define it too."""
    spaces = []
    declares_only = False  # since the namespace was opened; such a one ends without a comment
    for number, line in enumerate(lines, 1):
        opened = NAMESPACE.match(line)
        if opened:
            spaces.append((opened.group(1) or "").strip())
        elif spaces and (END.match(line) or (declares_only and line == "}")):
            spaces.pop()
        declares_only = bool(opened) or (declares_only and FORWARD.match(line) is not None)
        defined = TYPE.match(line)
        if defined and "" not in spaces:
            yield "::".join(spaces), defined.group(1), number


def twice_in(places):
    """Names that are used twice in one namespace: name with namespace, and where."""
    return {f"{space}::{name}": found for (space, name), found in places.items() if len(found) > 1}


def shared_in(places):
    """Names that several namespaces have and may not: name, and where."""
    spaces = collections.defaultdict(list)
    for (_, name), found in places.items():
        spaces[name].append(found[0])
    return {name: found for name, found in spaces.items() if len(found) > 1 and name not in SHARED_WORDS}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    places = collections.defaultdict(list)
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc")):
        for space, name, number in types_in(path.read_text(encoding="utf-8").splitlines()):
            places[space, name].append(f"{path}:{number}")
    twice, shared = twice_in(places), shared_in(places)
    for name, found in sorted(twice.items()):
        print(f"{found[0]}: {name} is also defined in {', '.join(found[1:])}: one name, one thing")
    for name, found in sorted(shared.items()):
        print(f"{found[0]}: {name} is another thing in {', '.join(found[1:])}: one word, one thing")
    print(f"check_names: {len(places)} types, {len(twice) + len(shared)} names used twice")
    return 1 if twice or shared or not places else 0


if __name__ == "__main__":
    sys.exit(main())
