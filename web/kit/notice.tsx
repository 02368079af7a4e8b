// A short message at the foot of the page, such as "copied".
import { observable, useObservable } from "./observable";

const notice = observable({ text: "" });
let timer = 0;

/** Shows a short message for a few seconds. */
export function notify(text: string): void {
  notice.set({ text });
  window.clearTimeout(timer);
  timer = window.setTimeout(() => notice.set({ text: "" }), 2500);
}

export function Notice() {
  const text = useObservable(notice, (state) => state.text);
  return <div class={text ? "notice notice-shown" : "notice"} role="status">{text}</div>;
}
