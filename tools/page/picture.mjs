// Makes the picture of the report page that README shows: node tools/page/picture.mjs PAGE.html PICTURE.png
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [page, picture] = process.argv.slice(2);
if (!picture) {
  console.error("usage: node tools/page/picture.mjs PAGE.html PICTURE.png");
  process.exit(2);
}
const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1280, height: 1180 }, colorScheme: "dark" });
await tab.goto(pathToFileURL(page).href);
await tab.locator("#ops-grid [role=row]").nth(2).waitFor({ state: "attached" });
await tab.locator("#timeline").scrollIntoViewIfNeeded();
await tab.evaluate(() => document.querySelector("#timeline").scrollIntoView());
await tab.waitForTimeout(300);
await tab.screenshot({ path: picture });
await browser.close();
