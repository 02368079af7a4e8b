// The keys, over the page. Closed by Escape, by the button or by a click beside it.

import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "../keys";
import { ui, useUi } from "../state";

const TABLE_KEYS: readonly { keys: string[]; what: string }[] = [
  { keys: ["↑", "↓", "PgUp", "PgDn", "Home", "End"], what: "move in a table that has the focus" },
  { keys: ["Enter"], what: "open the row: op, layer or maker of a tensor" },
  { keys: ["Backspace"], what: "one layer up in the model layers" },
  { keys: ["Tab"], what: "next control; every table and button can be reached" },
];

function close(): void {
  ui.set({ help: false });
}

export function HelpOverlay() {
  const open = useUi((state) => state.help);
  const dialog = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (open) {
      before.current = document.activeElement;
      dialog.current?.focus();
    } else if (before.current instanceof HTMLElement) {
      before.current.focus();
      before.current = null;
    }
  }, [open]);
  if (!open) return null;
  return (
    <div class="help-backdrop" onClick={(event) => event.target === event.currentTarget && close()}>
      <div class="help" role="dialog" aria-modal="true" aria-label="Keys" tabIndex={-1} ref={dialog}>
        <header>
          <h2>Keys</h2>
          <button type="button" class="close" onClick={close} aria-label="Close">
            ✕
          </button>
        </header>
        <dl>
          {[...KEYS, ...TABLE_KEYS].map(({ keys, what }) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p class="muted">The address of the page holds the exact view: copy it to come back, or to show it to somebody who has the file.</p>
      </div>
    </div>
  );
}
