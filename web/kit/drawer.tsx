// Details of what is chosen, over the page: nothing moves, and what was clicked stays in sight.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface DrawerProps {
  id?: string;
  /** What it is of: "op", "tensor". */
  what?: string;
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

/** Where the pointer was last pressed; null after a key. */
let pressed: { x: number; y: number; target: EventTarget | null } | null = null;
if (typeof window !== "undefined") {
  window.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY, target: event.target }), { capture: true });
  window.addEventListener("keydown", () => (pressed = null), { capture: true });
}

/** Space between what was pressed and the drawer. */
const AIR_PX = 12;

/** Whether the drawer lies at the other side than it usually does, because it would cover what was pressed. */
function useAway(of: number): [(element: HTMLElement | null) => void, boolean] {
  const [away, setAway] = useState(false);
  const box = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !pressed || (pressed.target instanceof Node && element.contains(pressed.target))) return;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const covers = pressed.x > left - AIR_PX && pressed.x < right + AIR_PX && pressed.y > top - AIR_PX && pressed.y < bottom + AIR_PX;
    if (covers) setAway(!away);
  }, [of]);
  return [(element) => void (box.current = element), away];
}

export function Drawer(props: DrawerProps) {
  const { what = "op" } = props;
  const body = useRef<HTMLDivElement>(null);
  const [box, isAway] = useAway(props.of);
  useEffect(() => void body.current?.scrollTo(0, 0), [props.of]);
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.add("has-drawer");
    return () => classList.remove("has-drawer");
  }, []);
  return (
    <aside class={isAway ? "drawer drawer-away" : "drawer"} id={props.id} ref={box} aria-label={`Details of the selected ${what}`}>
      <header class="drawer-head">
        <div class="tools">
          <button type="button" onClick={() => props.onStep(-1)} disabled={props.isFirst} title={`Previous ${what} (,)`} aria-label={`Previous ${what}`}>◂</button>
          <button type="button" onClick={() => props.onStep(1)} disabled={props.isLast} title={`Next ${what} (.)`} aria-label={`Next ${what}`}>▸</button>
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
