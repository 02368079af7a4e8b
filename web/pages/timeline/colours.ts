// A colour of its own for each name, readable under its text in both themes.
import { visible } from "kit/format";

function hashOf(name: string): number {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  // The low bits of neighbours in the alphabet are near each other: mixed once more.
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** Red, green and blue from 0 to 255. */
export function rgbOfName(name: string, dark: boolean): [number, number, number] {
  const hash = hashOf(name);
  const hue = hash % 360;
  const depth = ((hash >>> 12) % 3) * 0.05;
  const saturation = dark ? 0.42 : 0.62;
  const light = dark ? 0.32 + depth : 0.72 + depth;
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255);
  };
  return [part(0), part(8), part(4)];
}

/** What is drawn of names, by their number: made when first asked for. */
export class NameInks {
  private readonly inks: (string | undefined)[] = [];
  private readonly shown: (string | undefined)[] = [];
  private readonly widths: (number | undefined)[] = [];
  /** For pixels: 0xAABBGGRR, opaque; 0: not made yet. */
  private readonly pixels: Uint32Array;

  constructor(
    private readonly texts: readonly string[],
    readonly dark: boolean,
  ) {
    this.pixels = new Uint32Array(texts.length);
  }

  css(id: number): string {
    return (this.inks[id] ??= `rgb(${rgbOfName(this.texts[id], this.dark).join(" ")})`);
  }

  pixel(id: number): number {
    if (this.pixels[id] === 0) {
      const [red, green, blue] = rgbOfName(this.texts[id], this.dark);
      this.pixels[id] = (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
    }
    return this.pixels[id];
  }

  /** The name as it may be shown. No picture has room for more than its beginning and end. */
  text(id: number): string {
    return (this.shown[id] ??= visible(this.texts[id].length > 600 ? `${this.texts[id].slice(0, 300)}…${this.texts[id].slice(-300)}` : this.texts[id]));
  }

  /** How wide a character of the name is on average, in the font of the picture. */
  characterWidth(id: number, ctx: CanvasRenderingContext2D): number {
    return (this.widths[id] ??= ctx.measureText(this.text(id)).width / Math.max(1, this.text(id).length));
  }
}
