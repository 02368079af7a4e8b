// A headless Chromium for the scripts that look at the report page.
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const CHROMIUM = "/usr/bin/chromium";  // of Debian
export const SOURCE = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(join(SOURCE, "web/package.json"))("playwright-core");

/** Without a GPU and without the services that a browser calls at every start. */
export function launch() {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}
