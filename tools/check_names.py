#!/usr/bin/env python3
"""Fails when two types of src/ have one name in one namespace.

The compiler sees one file at a time and says nothing; the linker then takes the code of one type for both.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace( [\w:]+)? \{")
END = re.compile(r"^\}  // namespace")
TYPE = re.compile(r"^(?:struct|class|enum(?: class)?|union) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :.*)? \{")


def types_in(lines):
    """(namespace, name, line) of every type that is defined where other files could define it too."""
    spaces = []
    for number, line in enumerate(lines, 1):
        opened = NAMESPACE.match(line)
        if opened:
            spaces.append((opened.group(1) or "").strip())
        elif END.match(line) and spaces:
            spaces.pop()
        defined = TYPE.match(line)
        if defined and "" not in spaces:
            yield "::".join(spaces), defined.group(1), number


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    places = collections.defaultdict(list)
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc")):
        for space, name, number in types_in(path.read_text(encoding="utf-8").splitlines()):
            places[f"{space}::{name}"].append(f"{path}:{number}")
    twice = {name: found for name, found in places.items() if len(found) > 1}
    for name, found in sorted(twice.items()):
        print(f"{found[0]}: {name} is also defined in {', '.join(found[1:])}: one name, one thing")
    print(f"check_names: {len(places)} types, {len(twice)} names used twice")
    return 1 if twice or not places else 0


if __name__ == "__main__":
    sys.exit(main())
