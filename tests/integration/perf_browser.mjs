// The page of `ttscope perf` in a real browser, opened from its file with the network off.
//   node tests/integration/perf_browser.mjs [WORD...]     only the cases whose names contain a word
import { runAll, SKIPPED, whyNot } from "./browser/harness.mjs";

const reason = whyNot();
if (reason !== null) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}
await import("./browser/cases_perf.mjs");
process.exit(await runAll("perf_browser"));
