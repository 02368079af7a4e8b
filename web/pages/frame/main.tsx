// The page around a report that is served: the report is in a frame that reaches neither this page nor its address.
import { viewOf } from "./view";

const frame = document.querySelector<HTMLIFrameElement>("#report");

/** The frame shows the view that the address names, and the address follows the view. */
function follow(report: HTMLIFrameElement): void {
  const address = report.src;
  const show = () => {
    report.src = address + location.hash;
  };
  if (location.hash.length > 1) show();
  window.addEventListener("hashchange", show);
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const view = event.source === report.contentWindow ? viewOf(event.data) : null;
    if (view !== null) history.replaceState(null, "", `#${view}`);
  });
  // Its keys work at once.
  report.addEventListener("load", () => report.focus());
}

if (frame) follow(frame);
