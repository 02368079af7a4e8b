// What the last search found, shared by the search box, the table and the charts.

export interface TensorHit {
  /** The largest of this name. */
  buffer: number;
  tensors: number;
}

export interface LayerHit {
  path: string;
}

/** A number that was typed, and the op that it leads to. */
export interface LineHit {
  what: "op" | "line";
  number: number;
  op: number;
}

export interface Hits {
  query: string;
  rank: number;
  /** Of ops. */
  count: number;
  /** One byte for each op. */
  found: Uint8Array;
  /** One byte for each op that is marked on the curve: those, and where tensors that were found begin. */
  marks: Uint8Array;
  tensors: TensorHit[];
  layers: LayerHit[];
  lines: LineHit[];
}

type Listener = () => void;
let current: Hits | null = null;
const listeners = new Set<Listener>();

export const hits = {
  get: (): Hits | null => current,
  set(value: Hits | null): void {
    current = value;
    for (const listener of [...listeners]) listener();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
