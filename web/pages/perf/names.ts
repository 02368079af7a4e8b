// Names of ops as people read them. What a name is looked up by stays as recorded.
import { visible } from "kit/format";

/** `Matmul 32 x 64 x 96` of `MatmulDeviceOperation 32 x 64 x 96`; without namespaces. A name that is nothing else stays as it is. */
export function readable(label: string): string {
  const blank = label.indexOf(" ");
  let name = blank < 0 ? label : label.slice(0, blank);
  for (const ending of ["DeviceOperation", "Operation"]) {
    if (!name.endsWith(ending)) continue;
    if (name !== ending) name = name.slice(0, -ending.length);
    break;
  }
  const scope = name.lastIndexOf("::");
  if (scope >= 0 && scope + 2 < name.length) name = name.slice(scope + 2);
  return name + (blank < 0 ? "" : label.slice(blank));
}

/** The same with nothing hidden in it. */
export const shownName = (label: string) => visible(readable(label));

/** The module that a signpost sets off: `TTBasicBlock *` of `TTBasicBlock 12 forward started`. */
export function moduleOf(signpost: string): string {
  const words = signpost.replace(/[\s_:-]*\b(started|starts|start|begins|begin|finished|finish|ended|ends|end|stop|forward)\b/gi, "").trim();
  return words.replace(/\d+/g, "*") || signpost;
}
