// Details of the chosen op beside the page.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DrawerProps {
  id?: string;
  /** Another one starts at its top. */
  of: number;
  title: ComponentChildren;
  place: string;
  tools?: ComponentChildren;
  isFirst?: boolean;
  isLast?: boolean;
  onStep(by: number): void;
  onClose(): void;
  children: ComponentChildren;
}

export function Drawer(props: DrawerProps) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => void body.current?.scrollTo(0, 0), [props.of]);
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.add("has-drawer");
    return () => classList.remove("has-drawer");
  }, []);
  return (
    <aside class="drawer" id={props.id} aria-label="Details of the selected op">
      <header class="drawer-head">
        <div class="tools">
          <button type="button" onClick={() => props.onStep(-1)} disabled={props.isFirst} title="Previous op (,)" aria-label="Previous op">◂</button>
          <button type="button" onClick={() => props.onStep(1)} disabled={props.isLast} title="Next op (.)" aria-label="Next op">▸</button>
          {props.tools}
          <span class="spacer" />
          <button type="button" onClick={props.onClose} title="Close (Esc)" aria-label="Close the details">✕</button>
        </div>
        <h2>{props.title}</h2>
        <p class="muted">{props.place}</p>
      </header>
      <div class="drawer-body" ref={body}>{props.children}</div>
    </aside>
  );
}
