"""Pictures of columns for notebooks, as SVG: nothing but this package is needed.

    ops = ttscope.load("generated/profiler")["ops"]
    ttscope.plots.bars(ops["name"][:10], ops["kernel_duration_ns"][:10], unit="ns", title="the first ops")
"""
import html
import math
import os
from typing import Any, Iterable, List, Sequence, Tuple, Union

__all__ = ["Plot", "bars", "curve"]

_WIDTH, _ROW, _LABEL, _VALUE, _TITLE = 760, 22, 250, 110, 28
_HEIGHT, _LEFT, _BOTTOM = 260, 80, 30
_COLOR = "#4269d0"
_MOST_POINTS = 1500


def _text(value: object) -> str:
    shown = "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in str(value))
    return html.escape(shown)


def _number(value: float, unit: str) -> str:
    digits = f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"
    return f"{digits} {unit}" if unit else digits


def _cut(label: str, most: int = 38) -> str:
    return label if len(label) <= most else label[:most - 1] + "…"


class Plot:
    """A picture that notebooks show; `save()` writes it as a file."""

    def __init__(self, body: str, height: int, title: str) -> None:
        heading = f'<text x="0" y="16" font-weight="bold">{_text(title)}</text>' if title else ""
        self._svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
                     f'font-family="sans-serif" font-size="12"><title>{_text(title)}</title>'
                     f'<rect width="100%" height="100%" fill="white"/>{heading}{body}</svg>')

    def _repr_svg_(self) -> str:
        return self._svg

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._svg)


def bars(labels: Iterable[object], values: Iterable[Any], *, unit: str = "", title: str = "") -> Plot:
    """A bar for each label, in their order; the longest fills the width. Values that are missing (NaN) are said to be not known."""
    pairs: List[Tuple[str, float]] = [(str(label), float(value)) for label, value in zip(labels, values)]
    most = max((value for _, value in pairs if value > 0 and math.isfinite(value)), default=1.0)
    room = _WIDTH - _LABEL - _VALUE
    rows = []
    for row, (label, value) in enumerate(pairs):
        y = _TITLE + row * _ROW
        is_known = math.isfinite(value)
        length = max(0.0, room * value / most) if is_known else 0.0
        shown = _number(value, unit) if is_known else "not known"
        rows.append(f'<text x="{_LABEL - 6}" y="{y + 14}" text-anchor="end">{_text(_cut(label))}<title>{_text(label)}</title></text>'
                    f'<rect x="{_LABEL}" y="{y + 3}" width="{length:.1f}" height="{_ROW - 6}" fill="{_COLOR}"/>'
                    f'<text x="{_LABEL + length + 6:.1f}" y="{y + 14}">{_text(shown)}</text>')
    return Plot("".join(rows), _TITLE + len(pairs) * _ROW + 6, title)


def _fewer(x: Sequence[float], y: Sequence[float]) -> List[Tuple[float, float]]:
    """The lowest and the highest point of each piece: peaks stay."""
    points = [(a, b) for a, b in zip(x, y) if math.isfinite(a) and math.isfinite(b)]
    if len(points) <= _MOST_POINTS:
        return points
    size = -(-len(points) * 2 // _MOST_POINTS)
    kept: List[Tuple[float, float]] = []
    for at in range(0, len(points), size):
        piece = points[at:at + size]
        kept += sorted({min(piece, key=lambda p: p[1]), max(piece, key=lambda p: p[1])})
    return kept


def curve(x: Iterable[Any], y: Iterable[Any], *, unit: str = "", x_unit: str = "", title: str = "") -> Plot:
    """Values over something that grows, as one line from zero up."""
    points = _fewer([float(value) for value in x], [float(value) for value in y])
    if not points:
        return Plot(f'<text x="0" y="{_TITLE + 14}">no values</text>', _TITLE + _ROW, title)
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(0.0, min(p[1] for p in points)), max(0.0, max(p[1] for p in points))
    wide, tall = _WIDTH - _LEFT - 10, _HEIGHT - _TITLE - _BOTTOM

    def place(point: Tuple[float, float]) -> str:
        across = (point[0] - left) / ((right - left) or 1)
        up = (point[1] - low) / ((high - low) or 1)
        return f"{_LEFT + across * wide:.1f},{_TITLE + tall - up * tall:.1f}"

    floor = _TITLE + tall
    body = (f'<path d="M{_LEFT},{_TITLE}V{floor}H{_LEFT + wide}" fill="none" stroke="#888"/>'
            f'<polyline points="{" ".join(map(place, points))}" fill="none" stroke="{_COLOR}" stroke-width="1.5"/>'
            f'<text x="{_LEFT - 6}" y="{_TITLE + 10}" text-anchor="end">{_text(_number(high, unit))}</text>'
            f'<text x="{_LEFT - 6}" y="{floor}" text-anchor="end">{_text(_number(low, unit))}</text>'
            f'<text x="{_LEFT}" y="{floor + 18}">{_text(_number(left, x_unit))}</text>'
            f'<text x="{_LEFT + wide}" y="{floor + 18}" text-anchor="end">{_text(_number(right, x_unit))}</text>')
    return Plot(body, _HEIGHT, title)
