// Names of tensors as people write them: torch's lifted names taken apart, what all share left out.
import type { Argument } from "./page";

/** Modules that contain others: what follows them in a lifted name is a name of its own. */
const CONTAINERS = /^(model|transformer|backbone|encoder|decoder|layers|blocks|self_attn|cross_attn|attention|attn|mlp|feed_forward|ffn|experts|vision_model|text_model|language_model)_(?=\D)/;

function partsOfLifted(name: string): string[] {
  const parts: string[] = [];
  const plain = name.replace(/^l__self___/i, "").replaceAll("__modules__", ".");
  for (const piece of plain.split(/\.|___/)) {
    let rest = piece;
    for (let found = CONTAINERS.exec(rest); found; found = CONTAINERS.exec(rest)) {
      parts.push(found[1]);
      rest = rest.slice(found[0].length);
    }
    if (rest !== "") parts.push(rest);
  }
  return parts;
}

/** `L__self___model_layers__modules__0___mlp_down_proj.weight` -> `model.layers.0.mlp.down_proj.weight`; other names stay. */
export function dottedName(name: string): string {
  return /^l__self___/i.test(name) ? partsOfLifted(name).join(".") : name;
}

/** Nearly all: a head beside the model does not keep its prefix in every name. */
const SHARED = 0.6;

/** What most of the names start with, whole parts of it: "model.", "". */
export function commonPrefix(names: readonly string[]): string {
  let prefix = "";
  for (;;) {
    const heads = new Map<string, number>();
    let inside = 0;
    for (const name of names) {
      if (!name.startsWith(prefix)) continue;
      const end = name.indexOf(".", prefix.length);
      // A number counts something: the name before it belongs to it.
      if (end < 0 || /^\d/.test(name.slice(end + 1))) continue;
      inside++;
      const head = name.slice(prefix.length, end + 1);
      heads.set(head, (heads.get(head) ?? 0) + 1);
    }
    const [head, times] = [...heads].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
    const least = prefix === "" ? SHARED * inside : names.length;
    if (times < 2 || times < least) return prefix;
    prefix += head;
  }
}

/** A short name for each argument; the full one where the short one would be that of two. */
export function shortNames(args: readonly Argument[]): string[] {
  const dotted = args.map(({ name }) => dottedName(name));
  const distinct = [...new Set(dotted)];
  const prefix = commonPrefix(distinct.filter((name) => name.includes(".")));
  if (prefix === "") return dotted;
  const taken = new Set(distinct.filter((name) => !name.startsWith(prefix)));
  return dotted.map((name) => {
    const rest = name.slice(prefix.length);
    return name.startsWith(prefix) && rest !== "" && !taken.has(rest) ? rest : name;
  });
}
