// What a report may say to the page around it. It may be anybody's file: only the text of a fragment is taken.
const MOST_LETTERS = 8192;

/** The fragment of the message; null: it is none. */
export function viewOf(message: unknown): string | null {
  if (typeof message !== "object" || message === null) return null;
  const view = (message as { ttscopeView?: unknown }).ttscopeView;
  return typeof view === "string" && view.length <= MOST_LETTERS ? view : null;
}
