// The promises of docs/security.md that a browser must keep: each case has the name of its sentence.
import { createSocket } from "node:dgram";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { browserCase, check, contains, equal, textOf } from "./harness.mjs";
import { withServer } from "./server.mjs";

const ANY_COMPLAINT = [/./];  // of the browser about what it refuses
const LONG_ENOUGH_MS = 700;

/** A page that does something a moment after it is there, and says that it did. */
const hostile = (script) => `<!doctype html><title>evil</title><p id="result">nothing</p><script>
setTimeout(() => { let said = "tried"; try { ${script} } catch (error) { said = String(error); } document.getElementById("result").textContent = said; }, 50);
</script>`;

function addPage(library, name, html) {
  mkdirSync(join(library, name));
  writeFileSync(join(library, name, `${name}_report.html`), html);
}

/** Servers that nobody may reach: what came to them. */
async function listen() {
  const came = [];
  const tcp = createServer((connection) => {
    came.push("a connection");
    connection.on("error", () => undefined);
    connection.on("data", (data) => {
      came.push(String(data).split("\r\n")[0]);
      connection.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/html\r\n\r\nhi");
    });
  });
  const udp = createSocket("udp4");
  udp.on("message", () => came.push("a datagram"));
  await new Promise((ready) => tcp.listen(0, "127.0.0.1", ready));
  await new Promise((ready) => udp.bind(0, "127.0.0.1", ready));
  return { came, tcp: tcp.address().port, udp: udp.address().port, close: () => (tcp.close(), udp.close()) };
}

const LINK = (attributes) => `const link = Object.assign(document.createElement("a"), ${attributes}); document.body.append(link); link.click()`;
const HTML = (place, html) => `document.${place}.insertAdjacentHTML("beforeend", ${JSON.stringify(html)})`;

/** What takes a page elsewhere, to `at`. */
const LEAVE = {
  location: (at) => `location = "${at}"`,
  replace: (at) => `location.replace("${at}")`,
  navigation: (at) => `navigation.navigate("${at}")`,
  refresh: (at) => HTML("head", `<meta http-equiv="refresh" content="0;url=${at}">`),
  link: (at) => LINK(`{ href: "${at}" }`),
  saved: (at) => LINK(`{ href: "${at}", download: "x" }`),
  linktop: (at) => LINK(`{ href: "${at}", target: "_top" }`),
  linkblank: (at) => LINK(`{ href: "${at}", target: "_blank" }`),
  form: (at) => `const form = Object.assign(document.createElement("form"), { action: "${at}" }); document.body.append(form); form.submit()`,
  formtop: (at) => `const form = Object.assign(document.createElement("form"), { action: "${at}", target: "_top" }); document.body.append(form); form.submit()`,
  open: (at) => `open("${at}")`,
  top: (at) => `top.location = "${at}"`,
  parent: (at) => `parent.location.href = "${at}"`,
  data: (at) => `location = "data:text/html,<script>location='${at}'</scr" + "ipt>"`,
  blob: (at) => `location = URL.createObjectURL(new Blob(["<script>location='${at}'</scr" + "ipt>"], { type: "text/html" }))`,
  written: (at) => `document.write('<meta http-equiv="refresh" content="0;url=${at}">'); document.close()`,
};

/** What makes requests and stays. */
const REQUEST = {
  fetch: (at) => `fetch("${at}", { mode: "no-cors" }).catch(() => undefined)`,
  beacon: (at) => `navigator.sendBeacon("${at}", "x")`,
  image: (at) => `new Image().src = "${at}"`,
  socket: (at) => `new WebSocket("${at.replace("http", "ws")}")`,
  events: (at) => `new EventSource("${at}")`,
  module: (at) => `import("${at}.js").catch(() => undefined)`,
  worker: (at) => `new Worker(URL.createObjectURL(new Blob(["fetch('${at}')"])))`,
  frame: (at) => HTML("body", `<iframe src="${at}"></iframe>`),
  innerframe: (at) => `const frame = document.createElement("iframe"); document.body.append(frame); frame.contentWindow.location = "${at}"`,
  innerpage: (at) => HTML("body", `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${at}'>"></iframe>`),
  object: (at) => HTML("body", `<object data="${at}"></object><embed src="${at}">`),
  style: (at) => HTML("body", `<style>@import "${at}"; body { background: url(${at}); } @font-face { font-family: x; src: url(${at}); } body { font-family: x; }</style>`),
  media: (at) => HTML("body", `<video src="${at}" autoplay></video><audio src="${at}" autoplay></audio>`),
  picture: (at) => HTML("body", `<svg><image href="${at}"/><use href="${at}#a"/></svg>`),
  early: (at) => HTML("head", ["prefetch", "prerender", "preconnect", "dns-prefetch", "modulepreload", "icon", "manifest"].map((one) => `<link rel="${one}" href="${at}">`).join("")),
  rules: (at) => `document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ urls: ["${at}"], source: "list", eagerness: "immediate" }] }) }))`,
  ping: (at) => LINK(`{ href: "#x", ping: "${at}" }`),
  report: (at) => `${HTML("head", `<meta http-equiv="Content-Security-Policy" content="img-src data:; report-uri ${at}">`)}; new Image().src = "x"`,
};

const PEER = (server) => `const peer = new RTCPeerConnection({ iceServers: [${server}] }); peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer))`;

/** The first Chromium that knows `Connection-Allowlist`; before it, docs/security.md promises less. */
const KNOWS_ALLOWLIST = 156;

/** Picks what must not have come out of this browser: of one that lacks the header, requests only. */
async function forbiddenFor(page) {
  const major = Number(/Chrome\/(\d+)/.exec(await page.evaluate(() => navigator.userAgent))?.[1] ?? 0);
  return (came) => (major >= KNOWS_ALLOWLIST ? came : came.filter((line) => / HTTP\/1\.[01]$/.test(line))).join();
}

async function openReport(page, server, name) {
  const at = `${server.address}reports/${name}/`;
  await page.goto(at);
  await page.waitForTimeout(LONG_ENOUGH_MS);
  return at;
}

browserCase("security: a report page leaves its frame for no other address", async () => {
  const outside = await listen();
  const names = Object.keys(LEAVE);
  const prepare = (library) => names.forEach((name) => addPage(library, name, hostile(LEAVE[name](`http://127.0.0.1:${outside.tcp}/${name}`))));
  await withServer({ prepare, allow: ANY_COMPLAINT }, async (page, server) => {
    const forbidden = await forbiddenFor(page);
    for (const name of names) {
      const at = await openReport(page, server, name);
      equal(page.url(), at, `${name}: the page around it`);
      equal(page.context().pages().length, 1, `${name}: windows`);
      equal(forbidden(outside.came), "", `${name}: what got out`);
    }
  });
  outside.close();
});

browserCase("security: a report page reaches no network", async () => {
  const outside = await listen();
  const scripts = Object.fromEntries(Object.entries(REQUEST).map(([name, of]) => [name, of(`http://127.0.0.1:${outside.tcp}/${name}`)]));
  scripts.stun = PEER(`{ urls: "stun:127.0.0.1:${outside.udp}" }`);
  scripts.turn = PEER(`{ urls: "turn:127.0.0.1:${outside.tcp}?transport=tcp", username: "a-secret", credential: "x" }`);
  const inner = `<script>${scripts.stun}</scr`;
  const innerStun = `const frame = document.createElement("iframe"); frame.srcdoc = ${JSON.stringify(inner)} + "ipt>"; document.body.append(frame)`;
  const prepare = (library) => Object.entries({ ...scripts, innerStun }).forEach(([name, script]) => addPage(library, name, hostile(script)));
  await withServer({ prepare, allow: ANY_COMPLAINT }, async (page, server) => {
    const forbidden = await forbiddenFor(page);
    for (const name of Object.keys(scripts)) {
      await openReport(page, server, name);
      check((await textOf(page.frames()[1], "#result")) !== "nothing", `${name}: its script has run`);
      equal(forbidden(outside.came), "", `${name}: what got out`);
    }
    // Chromium ends the page that tries this one.
    await openReport(await page.context().newPage(), server, "innerStun").catch((error) => contains(error.message, "crash", "the end of the page"));
    equal(forbidden(outside.came), "", "what got out of a frame inside");
  });
  outside.close();
});

const LIBRARY = `const told = [];
const tries = [
  () => fetch("../api/library").then((answer) => answer.text()),
  () => fetch("../api/logs?name=x.log", { method: "POST", body: "x" }),
  async () => parent.document.title,
  async () => parent.location.href,
  async () => localStorage.length,
  async () => document.cookie,
  async () => open("../").document.title,
];
(async () => {
  for (const one of tries) await one().then(() => told.push("did it"), () => told.push("refused"));
  const known = [location.href, document.referrer, document.baseURI, name, JSON.stringify(history.state), ...Array.from(location.ancestorOrigins)];
  document.getElementById("result").textContent = told.join() + " " + known.join(" ");
})();`;

browserCase("security: a report page reaches neither the library nor its token", () =>
  withServer({ prepare: (library) => addPage(library, "evil", hostile(LIBRARY).replace("textContent = said", "dataset.done = said")), allow: ANY_COMPLAINT }, async (page, server) => {
    await openReport(page, server, "evil");
    const result = await textOf(page.frames()[1], "#result");
    equal(result.split(" ")[0], "refused,refused,refused,refused,refused,refused,refused", "tries");
    const token = new URL(server.address).pathname.split("/")[1];
    equal(token.length, 32, "the token of the library");
    check(!result.includes(token), `the page knows ${result}`);
  }),
);

browserCase("security: what a report says to the page around it is a fragment of its address at most", () => {
  const script = `for (const message of [{ ttscopeView: "op=<1>" }, { ttscopeView: "x".repeat(10000) }, { ttscopeView: { href: "//evil.example" } }, "//evil.example", null, 7]) parent.postMessage(message, "*")`;
  return withServer({ prepare: (library) => addPage(library, "evil", hostile(script)) }, async (page, server) => {
    const at = await openReport(page, server, "evil");
    equal(page.url(), `${at}#op=%3C1%3E`, "the address");
  });
});

browserCase("security: names are text whatever is in them", () => {
  const name = "<img src=x onerror=alert(1)>\\u003cb> ü \u{1f600}";
  const header = JSON.stringify({ name }).replaceAll("<", "\\u003c").replace("ü", "\\u00fc").replace("\u{1f600}", "\\ud83d\\ude00");
  const html = `<!doctype html><title>x</title><script type="application/json" id="ttscope-page">${header}</script>`;
  return withServer({ prepare: (library) => addPage(library, "named", html) }, async (page, server) => {
    contains(await textOf(page, "#library"), name, "in the library");
    equal(await page.locator("#library img, #library b").count(), 0, "what became of them");
    await openReport(page, server, "named");
    equal(await textOf(page, "#bar b"), name, "around the report");
    equal(await page.title(), name, "as its title");
    equal(await page.locator("img").count(), 0, "what became of them");
  });
});
