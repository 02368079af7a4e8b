// The page of a timeline in a real browser, opened from its file with the network off.
//   node tests/integration/timeline_browser.mjs [WORD...]     only the cases whose names contain a word
// Needs chromium and web/node_modules (npm ci in web); exit code 77 when they or the programs are not there.
import { runAll, SKIPPED, whyNot } from "./browser/harness.mjs";

const reason = whyNot();
if (reason !== null) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}
await import("./browser/cases_timeline.mjs");
process.exit(await runAll("timeline_browser"));
