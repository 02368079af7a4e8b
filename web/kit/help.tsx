// The keys, over the page. Closed by Escape, by the button or by a click beside it.
import { useEffect, useRef } from "preact/hooks";
import type { KeyHelp } from "./keys";
import { observable, useObservable } from "./observable";

export const help = observable({ open: false });

export const toggleHelp = () => help.set({ open: !help.get().open });

/** True when there was something to close. */
export function closeHelp(): boolean {
  const { open } = help.get();
  help.set({ open: false });
  return open;
}

function Dialog({ keys, note }: { keys: readonly KeyHelp[]; note: string }) {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.focus();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <div class="help-backdrop" onClick={(event) => event.target === event.currentTarget && closeHelp()}>
      <div class="help" role="dialog" aria-modal="true" aria-label="Keys" tabIndex={-1} ref={dialog}>
        <header>
          <h2>Keys</h2>
          <button type="button" onClick={closeHelp} aria-label="Close">✕</button>
        </header>
        <dl>
          {keys.map(({ keys: names, what }) => (
            <div key={what}>
              <dt>{names.map((name) => <kbd key={name}>{name}</kbd>)}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p class="muted">{note}</p>
      </div>
    </div>
  );
}

export function HelpOverlay(props: { keys: readonly KeyHelp[]; note: string }) {
  const open = useObservable(help, (state) => state.open);
  return open ? <Dialog {...props} /> : null;
}
