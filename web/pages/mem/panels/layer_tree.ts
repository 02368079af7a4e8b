// Bytes by model layer: a tree over the paths that locations and argument names carry.
import { dottedName } from "../data/names";

export const KINDS = 5;

/** One place of the model. Its figures include those of everything below it. */
export interface LayerNode {
  name: string;
  /** Names from the root down, joined by "/"; "" for the root. */
  path: string;
  parent: LayerNode | null;
  children: LayerNode[];
  bytes: number;
  kinds: Float64Array;
  tensors: number;
}

/** Name of the branch of everything whose location tells no layer. */
export const NO_LAYER = "(no layer path)";
export const UNACCOUNTED = "(unaccounted)";
export const FAILING_OP = "(results of the failing op)";

/** `model/layers.0/self_attn/dot.12` -> its parts. Without a path there is one part: the branch of those. */
export function pathOfLocation(location: string): string[] {
  const parts = location.split("/").filter((part) => part !== "");
  if (parts.length === 0) return [NO_LAYER];
  return parts.length === 1 ? [NO_LAYER, parts[0]] : parts;
}

/**
 * `model.layers.0.mlp.weight` -> model, layers.0, mlp, weight: numbers stay with the name they count. Names as
 * torch makes them when it lifts parameters (`L__self___layers__modules__0___mlp.weight`) are taken apart too.
 */
export function pathOfArgument(name: string): string[] {
  if (name.includes("/")) return pathOfLocation(name);
  const parts: string[] = [];
  for (const part of dottedName(name).split(/\.|___/).filter((one) => one !== "")) {
    if (/^\d+$/.test(part) && parts.length > 0) parts[parts.length - 1] += `.${part}`;
    else parts.push(part);
  }
  if (parts.length === 0) return [NO_LAYER];
  return parts.length === 1 ? [NO_LAYER, parts[0]] : parts;
}

function makeNode(name: string, parent: LayerNode | null): LayerNode {
  const path = parent === null ? "" : parent.path === "" ? name : `${parent.path}/${name}`;
  return { name, path, parent, children: [], bytes: 0, kinds: new Float64Array(KINDS), tensors: 0 };
}

export class LayerTree {
  readonly root = makeNode("all", null);
  private readonly byPath = new Map<string, LayerNode>();

  /** Adds bytes at the end of a path, and so to every node on the way. */
  add(path: string[], bytes: number, kind: number, tensors = 1): void {
    let node = this.root;
    this.count(node, bytes, kind, tensors);
    for (const name of path) {
      node = this.child(node, name);
      this.count(node, bytes, kind, tensors);
    }
  }

  /** Sorts every level by size; call once after the last `add`. */
  finish(): LayerNode {
    const waiting = [this.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      node.children.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
      waiting.push(...node.children);
    }
    return this.root;
  }

  find(path: string): LayerNode | null {
    return path === "" ? this.root : (this.byPath.get(path) ?? null);
  }

  private count(node: LayerNode, bytes: number, kind: number, tensors: number): void {
    node.bytes += bytes;
    node.kinds[kind] += bytes;
    node.tensors += tensors;
  }

  private child(parent: LayerNode, name: string): LayerNode {
    const path = parent.path === "" ? name : `${parent.path}/${name}`;
    const known = this.byPath.get(path);
    if (known) return known;
    const node = makeNode(name, parent);
    parent.children.push(node);
    this.byPath.set(path, node);
    return node;
  }
}

/** A box of the icicle: `level` from the top, `left` and `width` as parts of the whole. */
export interface IcicleBox {
  node: LayerNode;
  level: number;
  left: number;
  width: number;
}

/**
 * Boxes of everything below `top` that is at least `least` wide (a part of 1), widest first on each level.
 * Nodes without bytes have no box; boxes of a node's children never exceed it.
 */
export function icicle(top: LayerNode, least: number, levels: number): IcicleBox[] {
  const boxes: IcicleBox[] = [{ node: top, level: 0, left: 0, width: 1 }];
  for (let next = 0; next < boxes.length; ++next) {
    const box = boxes[next];
    if (box.level + 1 >= levels || box.node.bytes <= 0) continue;
    let left = box.left;
    for (const node of box.node.children) {
      const width = (box.width * Math.max(0, node.bytes)) / box.node.bytes;
      if (width >= least) boxes.push({ node, level: box.level + 1, left, width });
      left += width;
    }
  }
  return boxes;
}
