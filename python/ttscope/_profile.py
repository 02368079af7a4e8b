"""Profiles as columns."""
import os
from typing import Any, Dict, Iterator, List, Union

from . import _core

__all__ = ["Profile", "load"]


class Profile:
    """Tables of columns: `profile["ops"]["dram_growth_bytes_per_bank"]` is a numpy array."""

    def __init__(self, kind: str, tables: Dict[str, Dict[str, Any]], warnings: List[str]) -> None:
        self.kind = kind
        self.tables = tables
        self.warnings = warnings

    def __getitem__(self, table: str) -> Dict[str, Any]:
        return self.tables[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {_rows(columns)} rows" for name, columns in self.tables.items())
        return f"Profile({self.kind!r}, {sizes})"


def _rows(columns: Dict[str, Any]) -> int:
    return len(next(iter(columns.values()), ()))


def load(path: Union[str, "os.PathLike[str]"]) -> Profile:
    """Reads a runtime log, a folder of report files, a graph capture or a log with the tracker's summaries.

    Raises FileNotFoundError, or ValueError with what is wrong; ImportError without numpy.
    """
    text = os.fspath(path)
    if not os.path.exists(text):
        raise FileNotFoundError(text)
    return Profile(*_core.load_tables(text))
