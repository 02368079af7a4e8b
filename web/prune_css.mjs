// Leaves out what a page does not use of the styles that all pages share: rules for classes that its script never names, and variables
// that neither its script nor a rule that stays reads. Works on minified CSS.

/** Rules of a style sheet or of the inside of an at-rule, as [head, body]. */
function rulesOf(css) {
  const rules = [];
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf("{", at);
    if (open < 0) break;
    let depth = 1;
    let end = open + 1;
    for (; depth > 0; end++) depth += { "{": 1, "}": -1 }[css[end]] ?? 0;
    rules.push([css.slice(at, open), css.slice(open + 1, end - 1)]);
    at = end;
  }
  return rules;
}

/** At the commas that are not in brackets. */
function alternatives(selector) {
  const parts = [""];
  let depth = 0;
  for (const character of selector) {
    depth += { "(": 1, ")": -1 }[character] ?? 0;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Whether a script names a class or variable, or the start of it before a part that is filled in: `level-${…}`. */
function namerOf(script) {
  const words = new Set(script.match(/[\w-]+/g));
  const starts = new Set([...script.matchAll(/([\w-]+-)\$\{/g)].map((match) => match[1]));
  return (name) => words.has(name) || [...name.matchAll(/-/g)].some((dash) => starts.has(name.slice(0, dash.index + 1)));
}

function pruneRules(css, isNamed) {
  const isUsed = (selector) => [...selector.replace(/:(is|not|has)\([^)]*\)/g, "").matchAll(/\.([a-zA-Z][\w-]*)/g)].every((match) => isNamed(match[1]));
  let kept = "";
  for (const [head, body] of rulesOf(css)) {
    if (head.startsWith("@")) {
      const inside = pruneRules(body, isNamed);
      if (inside) kept += `${head}{${inside}}`;
      continue;
    }
    const selectors = alternatives(head).filter(isUsed);
    if (selectors.length > 0) kept += `${selectors.join(",")}{${body}}`;
  }
  return kept;
}

/** Declarations of variables; some of them read others. */
const VARIABLE = /--([\w-]+):([^;}]*);?/g;

function pruneVariables(css, isNamed) {
  for (let before = ""; before !== css; ) {
    before = css;
    const read = new Set([...css.matchAll(/var\(--([\w-]+)/g)].map((match) => match[1]));
    css = css.replace(VARIABLE, (declaration, name) => (read.has(name) || isNamed(name) ? declaration : ""));
  }
  return css;
}

export function pruneCss(css, script) {
  const isNamed = namerOf(script);
  // The bundler leaves the values of variables as they are written; an empty one keeps its blank.
  return pruneVariables(pruneRules(css, isNamed), isNamed).replace(/(--[\w-]+): (?!;)/g, "$1:").replaceAll(", ", ",");
}
