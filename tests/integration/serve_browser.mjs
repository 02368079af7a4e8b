// The library page of `ttscope serve` in a real browser.
//   node tests/integration/serve_browser.mjs [WORD...]     only the cases whose names contain a word
// Needs chromium and web/node_modules; exit code 77 when they or the programs are not there.
import { runAll, SKIPPED, whyNot } from "./browser/harness.mjs";

const reason = whyNot();
if (reason !== null) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}
await import("./browser/cases_serve.mjs");
await import("./browser/cases_security.mjs");
process.exit(await runAll("serve_browser"));
