// Colours of the canvases: the CSS variables of the theme in force, so that charts and page never disagree.

export interface Palette {
  text: string;
  muted: string;
  line: string;
  grid: string;
  panel: string;
  alloc: string;
  largest: string;
  capacity: string;
  weightOp: string;
  failure: string;
  select: string;
  hover: string;
  hit: string;
  logical: string;
  padded: string;
  fragmentation: string;
  bandA: string;
  bandB: string;
  bandConst: string;
  unaccounted: string;
  ranks: string[];
  font: string;
  dark: boolean;
  /** Any colour of the theme, by the name of its variable. */
  of(name: string): string;
}

let cached: Palette | null = null;

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of("text"),
    muted: of("muted"),
    line: of("line"),
    grid: of("grid"),
    panel: of("panel"),
    alloc: of("alloc"),
    largest: of("largest"),
    capacity: of("capacity"),
    weightOp: of("weight-op"),
    failure: of("failure"),
    select: of("select"),
    hover: of("hover"),
    hit: of("hit"),
    logical: of("logical"),
    padded: of("padded"),
    fragmentation: of("fragmentation"),
    bandA: of("band-a"),
    bandB: of("band-b"),
    bandConst: of("band-const"),
    unaccounted: of("unaccounted"),
    ranks: Array.from({ length: 8 }, (_, i) => of(`rank-${i}`)),
    font: "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
    dark: of("scheme") === "dark",
    of,
  };
}

export function palette(): Palette {
  cached ??= read();
  return cached;
}

/** After a change of theme. */
export function forgetPalette(): void {
  cached = null;
  hatches.clear();
}

export type Hatch = "none" | "rising" | "falling" | "dots" | "cross" | "level";

const TILE = 8;
const hatches = new Map<string, CanvasPattern | string>();

function strokeHatch(ctx: CanvasRenderingContext2D, hatch: Hatch): void {
  ctx.beginPath();
  if (hatch === "rising" || hatch === "cross") {
    for (const shift of [-TILE, 0, TILE]) {
      ctx.moveTo(shift - 1, TILE + 1);
      ctx.lineTo(shift + TILE + 1, -1);
    }
  }
  if (hatch === "falling" || hatch === "cross") {
    for (const shift of [-TILE, 0, TILE]) {
      ctx.moveTo(shift - 1, -1);
      ctx.lineTo(shift + TILE + 1, TILE + 1);
    }
  }
  if (hatch === "level") {
    ctx.moveTo(0, 2.5);
    ctx.lineTo(TILE, 2.5);
  }
  ctx.stroke();
  if (hatch === "dots") {
    ctx.fillRect(1, 1, 1.5, 1.5);
    ctx.fillRect(5, 5, 1.5, 1.5);
  }
}

/** A fill of `color` with a pattern in `ink`; background "" leaves it transparent. */
export function hatchFill(ctx: CanvasRenderingContext2D, color: string, hatch: Hatch, ink: string): CanvasPattern | string {
  if (hatch === "none") return color;
  const key = `${color}|${hatch}|${ink}`;
  const known = hatches.get(key);
  if (known) return known;
  const tile = document.createElement("canvas");
  tile.width = TILE;
  tile.height = TILE;
  const brush = tile.getContext("2d");
  if (!brush) return color;
  if (color) {
    brush.fillStyle = color;
    brush.fillRect(0, 0, TILE, TILE);
  }
  brush.strokeStyle = ink;
  brush.fillStyle = ink;
  brush.lineWidth = 1;
  strokeHatch(brush, hatch);
  const pattern = ctx.createPattern(tile, "repeat") ?? color;
  hatches.set(key, pattern);
  return pattern;
}
