"""Profiles as columns."""
import html
import importlib
import os
from typing import Any, Dict, Iterator, List, Mapping, Union

from . import _core

__all__ = ["Profile", "Table", "load"]

_ROWS_SHOWN = 10


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _escaped(text: object) -> str:
    """For a page: no tag, and no character that hides or reorders others."""
    shown = "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in str(text))
    return html.escape(shown)


_Path = Union[str, "os.PathLike[str]"]


class Table(Mapping[str, Any]):
    """Columns by name: `profile["ops"]["dram_growth_bytes_per_bank"]` is a numpy array.

    A column is made when it is first asked for, and cannot be written to. A cell without a value is -1 in a column of
    integers, NaN in one of real numbers, the empty text, or False; `missing(column)` tells where.
    """

    def __init__(self, loaded: _core.LoadedProfile, name: str) -> None:
        self._loaded = loaded
        self._arrays: Dict[str, Any] = {}
        self.name = name
        self.doc = loaded.doc(name)
        #: name and documentation of each column
        self.columns: Dict[str, str] = loaded.columns(name)
        self.rows = loaded.rows(name)
        self.__doc__ = f"{name}: {self.doc}\n\n" + "\n".join(self.columns.values())

    def __getitem__(self, column: str) -> Any:
        if column not in self._arrays:
            self._arrays[column] = self._loaded.array(self.name, column)
        return self._arrays[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {_counted(self.rows, 'row')}, {_counted(len(self.columns), 'column')})"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks; what comes from a log is escaped."""
        shown = min(self.rows, _ROWS_SHOWN)
        cells = {name: self._cells(name, shown) for name in self.columns}
        head = "".join(f'<th title="{_escaped(doc)}">{_escaped(name)}</th>' for name, doc in self.columns.items())
        body = "".join("<tr>" + "".join(f"<td>{_escaped(cells[name][row])}</td>" for name in self.columns) + "</tr>"
                       for row in range(shown))
        more = f" (the first {shown})" if shown < self.rows else ""
        return (f"<p><b>{_escaped(self.name)}</b>: {_escaped(self.doc)}; {_counted(self.rows, 'row')}{more}</p>"
                f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")

    def _cells(self, column: str, shown: int) -> List[str]:
        values, missing = self[column][:shown], self.missing(column)[:shown]
        return ["" if absent else str(value) for value, absent in zip(values, missing)]

    def missing(self, column: str) -> Any:
        """True for each row that has no value in the column."""
        return self._loaded.missing(self.name, column)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame; cells without a value are pandas.NA, NaN or None there."""
        pandas = _pandas()
        frame = pandas.DataFrame({name: self[name] for name in self.columns})
        for name in self.columns:
            missing = self.missing(name)
            if not missing.any():
                continue
            kind = self[name].dtype.kind
            if kind in "ib":
                frame[name] = pandas.array(self[name], dtype="Int64" if kind == "i" else "boolean")
                frame.loc[missing, name] = pandas.NA
            elif kind == "O":
                frame.loc[missing, name] = None
        frame.attrs["columns"] = dict(self.columns)
        return frame


class Profile(Mapping[str, Table]):
    """The tables of a profile by name: `profile["ops"]`."""

    def __init__(self, loaded: _core.LoadedProfile) -> None:
        #: what was read: `runtime_log`, `report_files`, `phase_log`, `graph_capture`, ...
        self.kind = loaded.kind
        #: the command of ttscope that reads it: `mem`, `phases`, `graph` or `perf`
        self.subject = loaded.subject
        #: what of the input could not be used
        self.warnings: List[str] = loaded.warnings
        self.tables: Dict[str, Table] = {name: Table(loaded, name) for name in loaded.table_names}

    def __getitem__(self, table: str) -> Table:
        return self.tables[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {_counted(table.rows, 'row')}" for name, table in self.tables.items())
        return f"Profile({self.kind!r}, {sizes})"

    def _repr_html_(self) -> str:
        """Its tables, for notebooks."""
        rows = "".join(f"<tr><td>{_escaped(name)}</td><td>{table.rows}</td><td>{_escaped(table.doc)}</td></tr>"
                       for name, table in self.tables.items())
        warnings = "".join(f"<li>{_escaped(warning)}</li>" for warning in self.warnings)
        return (f"<p><b>{_escaped(self.kind)}</b>, read by <code>ttscope {_escaped(self.subject)}</code></p>"
                f"<table><thead><tr><th>table</th><th>rows</th><th>a row is</th></tr></thead><tbody>{rows}</tbody></table>"
                + (f"<ul>{warnings}</ul>" if warnings else ""))

    def to_pandas(self) -> Dict[str, Any]:
        """Every table as a pandas.DataFrame, by name."""
        return {name: table.to_pandas() for name, table in self.tables.items()}


def _pandas() -> Any:
    try:
        return importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas, which is not installed; the columns are numpy arrays without it") from error


def load(path: _Path, *more: _Path) -> Profile:
    """Reads a profile of any kind, told by its content: a runtime log, a folder of report files, a log with the tracker's
    summaries, a graph capture (JSON or db.sqlite), an ops report, or files and folders of the device profiler.

    Several paths of one kind (the logs of several ranks, the files of one profiler run) make one profile.
    Raises FileNotFoundError, or ValueError with what is wrong; ImportError without numpy.
    """
    import numpy  # noqa: F401  (said at once, not when the first column is asked for)

    paths = [os.fspath(each) for each in (path, *more)]
    for text in paths:
        if not os.path.exists(text):
            raise FileNotFoundError(text)
    return Profile(_core.load_profile(paths))
