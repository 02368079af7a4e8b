// Makes a picture of the report page for README and docs: node tools/page/picture.mjs PAGE.html PICTURE.png [VIEW [HEIGHT [light]]]
// VIEW is what stands behind # in the page's address.
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [page, picture, view = "", height = "1180", colorScheme = "dark"] = process.argv.slice(2);
if (!picture) {
  console.error("usage: node tools/page/picture.mjs PAGE.html PICTURE.png [VIEW [HEIGHT [light]]]");
  process.exit(2);
}
const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1280, height: Number(height) }, colorScheme });
await tab.goto(`${pathToFileURL(page).href}#${view}`);
await tab.locator("#ops-grid [role=row]").nth(2).waitFor({ state: "attached" });
await tab.locator("html[data-ready=yes]").waitFor({ state: "attached" });
await tab.waitForTimeout(600);
await tab.screenshot({ path: picture });
await browser.close();
