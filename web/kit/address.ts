// The view in the address of the page: a link leads to the same view.

/** Replaced, not pushed: "back" leaves the report instead of undoing every click. The page around a served report shows it too. */
export function showInAddress(fragment: string): void {
  history.replaceState(null, "", `#${fragment}`);
  if (window.parent !== window) window.parent.postMessage({ ttscopeView: fragment }, "*");
}
