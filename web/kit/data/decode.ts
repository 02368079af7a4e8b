// Blobs of the page: base64 of gzip; columns: byte planes, some of them differences.
/** "None" in every index column. */
export const NONE = 0xffffffff;

export type Figures = Uint32Array | Float64Array;

export interface ColumnInfo {
  type: "u8" | "u32" | "i64";
  count: number;
  delta?: boolean;
}

/** Base64 characters from which on a blob takes long enough to let the browser breathe first. */
const LARGE_TEXT = 4096;

/** Where blobs come from: the text of the script element with that id; null when there is none. */
export type BlobSource = (id: string) => string | null;

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as FromBase64).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The uncompressed size that gzip keeps in its last four bytes: a hint that saves growing the buffer. */
function sizeHint(packed: Uint8Array): number {
  if (packed.length < 18) return 0;
  return new DataView(packed.buffer, packed.byteOffset + packed.length - 4, 4).getUint32(0, true);
}

export async function gunzip(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const unpacker = new DecompressionStream("gzip");
  const writer = unpacker.writable.getWriter();
  // Errors of the writing side arrive at the reading side too; there they are reported.
  const written = Promise.allSettled([writer.write(packed), writer.close()]);
  const reader = unpacker.readable.getReader();
  let bytes = new Uint8Array(Math.min(sizeHint(packed), packed.length * 1100 + 64));
  let used = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (used + value.length > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, used + value.length));
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    bytes.set(value, used);
    used += value.length;
  }
  await written;
  return bytes.subarray(0, used);
}

/** Lets the browser draw and answer before the next column: unpacking alone never gives it a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/** How many of the planes from the lowest on hold anything: most columns leave their upper ones empty. */
function usedPlanes(planes: Uint8Array, count: number, width: number): number {
  let used = width;
  while (used > 1 && isZero(planes, (used - 1) * count, used * count)) used--;
  return used;
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  let i = from;
  while (i < to && (bytes.byteOffset + i) % 4 !== 0) if (bytes[i++] !== 0) return false;
  if (i === to) return true;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + i, Math.floor((to - i) / 4));
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) return false;
  for (i += 4 * words.length; i < to; i++) if (bytes[i] !== 0) return false;
  return true;
}

/** Undoes planes and differences of a u32 column. */
export function joinU32(planes: Uint8Array, count: number, delta: boolean): Uint32Array {
  const values = new Uint32Array(count);
  const used = usedPlanes(planes, count, 4);
  const second = count;
  const third = 2 * count;
  const fourth = 3 * count;
  if (used === 1) {
    for (let i = 0; i < count; i++) values[i] = planes[i];
  } else if (used === 2) {
    for (let i = 0; i < count; i++) values[i] = planes[i] | (planes[second + i] << 8);
  } else {
    for (let i = 0; i < count; i++) {
      values[i] = planes[i] | (planes[second + i] << 8) | (planes[third + i] << 16) | (planes[fourth + i] << 24);
    }
  }
  if (!delta) return values;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum = (sum + values[i]) | 0;
    values[i] = sum;
  }
  return values;
}

/** Undoes planes and differences of an i64 column; doubles are exact up to 2^53. */
export function joinI64(planes: Uint8Array, count: number, delta: boolean): Float64Array {
  const values = new Float64Array(count);
  const second = count;
  const third = 2 * count;
  const fourth = 3 * count;
  // Most columns leave the upper half empty; one loop reads four planes instead of eight.
  if (usedPlanes(planes, count, 8) <= 4) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const value = (planes[i] | (planes[second + i] << 8) | (planes[third + i] << 16) | (planes[fourth + i] << 24)) >>> 0;
      values[i] = delta ? (sum += value) : value;
    }
    return values;
  }
  let sumLow = 0;
  let sumHigh = 0;
  for (let i = 0; i < count; i++) {
    const low = planes[i] | (planes[second + i] << 8) | (planes[third + i] << 16) | (planes[fourth + i] << 24);
    const high = planes[4 * count + i] | (planes[5 * count + i] << 8) | (planes[6 * count + i] << 16) | (planes[7 * count + i] << 24);
    if (delta) {
      const lowSum = sumLow + (low >>> 0);
      sumHigh = (sumHigh + high + (lowSum > NONE ? 1 : 0)) | 0;
      sumLow = lowSum >>> 0;
      values[i] = sumHigh * 4294967296 + sumLow;
    } else {
      values[i] = high * 4294967296 + (low >>> 0);
    }
  }
  return values;
}

/** Doubles that were stored by their bits, as an i64 column without differences. */
export function joinDoubles(planes: Uint8Array, count: number): Float64Array {
  const bytes = new Uint8Array(8 * count);
  for (let plane = 0; plane < 8; plane++) for (let i = 0; i < count; i++) bytes[8 * i + plane] = planes[plane * count + i];
  return new Float64Array(bytes.buffer);
}

export function joinU8(planes: Uint8Array, count: number, delta: boolean): Uint8Array {
  if (!delta) return planes.subarray(0, count);
  const values = new Uint8Array(count);
  let before = 0;
  for (let i = 0; i < count; i++) values[i] = before = (before + planes[i]) & 0xff;
  return values;
}

/** Reads columns and blobs by name. Nothing is cached here: who asks keeps the answer. */
export class Columns {
  constructor(
    private readonly source: BlobSource,
    private readonly infos: Record<string, ColumnInfo>,
  ) {}

  has(id: string): boolean {
    return this.infos[id] !== undefined;
  }

  /** The bytes of a blob; empty when the page has none of that name. */
  async blob(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const text = this.source(id);
    if (!text) return new Uint8Array(0);
    if (text.length > LARGE_TEXT) await turn();
    try {
      return await gunzip(bytesOfBase64(text.trim()));
    } catch (error) {
      throw new Error(`the blob ${id} of this page is damaged (${String(error)})`);
    }
  }

  async json<T>(id: string, whenAbsent: T): Promise<T> {
    const bytes = await this.blob(id);
    return bytes.length === 0 ? whenAbsent : (JSON.parse(new TextDecoder().decode(bytes)) as T);
  }

  /** A u32 column; one that is absent has `length` values NONE. */
  async u32(id: string, length = 0): Promise<Uint32Array> {
    const info = this.infos[id];
    if (!info) return new Uint32Array(length).fill(NONE);
    return joinU32(await this.planes(id, info, 4), info.count, info.delta === true);
  }

  async u8(id: string, length = 0): Promise<Uint8Array> {
    const info = this.infos[id];
    if (!info) return new Uint8Array(length);
    return joinU8(await this.planes(id, info, 1), info.count, info.delta === true);
  }

  /** An i64 column as doubles. */
  async f64(id: string, length = 0): Promise<Float64Array> {
    const info = this.infos[id];
    if (!info) return new Float64Array(length);
    return joinI64(await this.planes(id, info, 8), info.count, info.delta === true);
  }

  /** A column of doubles by their bits. */
  async doubles(id: string): Promise<Float64Array> {
    const info = this.infos[id];
    return info ? joinDoubles(await this.planes(id, info, 8), info.count) : new Float64Array(0);
  }

  /** Texts: a column of their lengths, and a blob of all of them. */
  async strings(name: string): Promise<string[]> {
    const lengths = await this.u32(`${name}.len`);
    const bytes = await this.blob(`${name}.bytes`);
    const decoder = new TextDecoder();
    const texts: string[] = [];
    let at = 0;
    for (const length of lengths) {
      texts.push(decoder.decode(bytes.subarray(at, at + length)));
      at += length;
    }
    return texts;
  }

  /** A column of figures, u32 or i64 as the page says; undefined when absent. */
  async figures(id: string): Promise<Figures | undefined> {
    const info = this.infos[id];
    if (!info) return undefined;
    return info.type === "i64" ? this.f64(id) : this.u32(id);
  }

  private async planes(id: string, info: ColumnInfo, width: number): Promise<Uint8Array> {
    if (info.count === 0) return new Uint8Array(0);
    const bytes = await this.blob(id);
    if (bytes.length !== info.count * width) {
      throw new Error(`the column ${id} has ${bytes.length} bytes, not ${info.count * width}: the page is cut off or damaged`);
    }
    return bytes;
  }
}
