#!/usr/bin/env python3
"""The corpora of the fuzz targets: inputs with names are files, the thousands that a fuzzer found are one archive each.

    tools/corpus.py unpack FOLDER             writes FOLDER/<target>/<input> for all targets
    tools/corpus.py pack FOLDER [TARGET...]   makes the archives from what FOLDER/<target> holds beyond the named inputs

tests/fuzz/corpus/<target>/<name> is an input that a person chose or a finding. tests/fuzz/corpus/<target>.tar.xz holds
the rest, under the hash that libFuzzer gave it. Archives are deterministic: equal inputs give equal bytes.
"""
import io
import lzma
import pathlib
import re
import shutil
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests/fuzz/corpus"
FOUND = re.compile(r"^[0-9a-f]{40}$")


def targets():
    return sorted({path.name.removesuffix(".tar.xz") for path in KEPT.iterdir()})


def unpack(target, folder):
    """Makes `folder` hold the inputs of a target and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = KEPT / f"{target}.tar.xz"
    if archive.exists():
        with tarfile.open(archive) as tar:
            for member in tar:
                if not FOUND.match(member.name) or not member.isfile():
                    sys.exit(f"corpus: {archive}: {member.name} is not the hash of an input")
                (folder / member.name).write_bytes(tar.extractfile(member).read())
    named = KEPT / target
    for path in sorted(named.iterdir()) if named.is_dir() else []:
        shutil.copyfile(path, folder / path.name)


def pack(target, folder):
    """Replaces the archive of a target by the found inputs in `folder`."""
    archive = KEPT / f"{target}.tar.xz"
    found = sorted(path for path in folder.iterdir() if FOUND.match(path.name))
    if not found:
        archive.unlink(missing_ok=True)
        return
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in found:
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(member, file)
    fresh = archive.with_suffix(".new")
    fresh.write_bytes(lzma.compress(plain.getvalue(), preset=9))
    fresh.replace(archive)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "unpack":
        for target in targets():
            unpack(target, pathlib.Path(arguments[1]) / target)
        return 0
    if len(arguments) >= 2 and arguments[0] == "pack":
        folder = pathlib.Path(arguments[1])
        for target in arguments[2:] or sorted(path.name for path in folder.iterdir() if path.is_dir()):
            pack(target, folder / target)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
