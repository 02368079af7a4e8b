// Writes pages as docs/formats/report_page.md says: the tests' counterpart of the C++ writer.
import { gzipSync } from "node:zlib";
import type { ColumnInfo } from "kit/data/decode";

export type Values = ArrayLike<number>;

/** Slow and obvious on purpose: differences as BigInt, planes one byte at a time. */
export function packColumn(values: Values, info: ColumnInfo): Uint8Array {
  const width = { u8: 1, u32: 4, i64: 8 }[info.type];
  const modulus = 1n << BigInt(8 * width);
  const planes = new Uint8Array(values.length * width);
  let before = 0n;
  for (let i = 0; i < values.length; i++) {
    const value = BigInt(values[i]);
    let stored = info.delta ? value - before : value;
    before = value;
    stored = ((stored % modulus) + modulus) % modulus;
    for (let plane = 0; plane < width; plane++) {
      planes[plane * values.length + i] = Number((stored >> BigInt(8 * plane)) & 255n);
    }
  }
  return planes;
}

/** The same for large pages: u32 and i64 by number arithmetic. */
export function packFast(values: Values, info: ColumnInfo): Uint8Array {
  if (info.type === "i64" && info.delta) return packColumn(values, info);
  const count = values.length;
  const width = { u8: 1, u32: 4, i64: 8 }[info.type];
  const planes = new Uint8Array(count * width);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const low = info.delta ? (values[i] - before) | 0 : values[i] % 4294967296 | 0;
    before = values[i];
    for (let plane = 0; plane < Math.min(width, 4); plane++) planes[plane * count + i] = low >>> (8 * plane);
    if (width < 8) continue;
    const high = Math.floor(values[i] / 4294967296) | 0;
    for (let plane = 0; plane < 4; plane++) planes[(plane + 4) * count + i] = high >>> (8 * plane);
  }
  return planes;
}

export class PageWriter {
  readonly columns: Record<string, ColumnInfo> = {};
  readonly blobs = new Map<string, string>();

  column(id: string, type: ColumnInfo["type"], values: Values, delta = false): void {
    const info: ColumnInfo = { type, count: values.length, delta };
    this.columns[id] = info;
    if (values.length > 0) this.blob(id, packFast(values, info));
  }

  blob(id: string, bytes: Uint8Array | string): void {
    this.blobs.set(id, gzipSync(bytes, { level: 6 }).toString("base64"));
  }

  json(id: string, value: unknown): void {
    this.blob(id, JSON.stringify(value));
  }

  strings(id: string, texts: string[]): void {
    const encoder = new TextEncoder();
    const parts = texts.map((text) => encoder.encode(text));
    this.column(`${id}.len`, "u32", parts.map((part) => part.length));
    this.blob(`${id}.bytes`, Buffer.concat(parts));
  }

  readonly source = (id: string): string | null => this.blobs.get(id) ?? null;
}

const jsonBlock = (id: string, value: unknown) =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>\n`;

const blobBlock = (id: string, text: string) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`;

/** Fills the three marks of the built page. */
export function fillPage(template: string, header: { name: string }, mem: unknown, writer: PageWriter): string {
  const head = [jsonBlock("ttscope-page", header), jsonBlock("ttscope-mem", mem)];
  const data: string[] = [];
  for (const [id, text] of writer.blobs) (/\.ov\./.test(id) ? head : data).push(blobBlock(id, text));
  const escaped = header.name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return template
    .replace("<!--ttscope:title-->", () => escaped)
    .replace("<!--ttscope:head-->", () => head.join(""))
    .replace("<!--ttscope:data-->", () => data.join(""));
}
