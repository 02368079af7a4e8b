// Sections of a page, the way between them, and which of them is being read.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { observable, useObservable } from "./observable";

export interface SectionLink {
  id: string;
  label: string;
}

/** The section that is read; "" for the first. */
export const place = observable({ section: "" });

/** The section that was asked for: it is the one that is read until the reader scrolls, wherever the page ends. */
let held: string | null = null;

/** Brings a section into view. */
export function goTo(section: string): void {
  held = section;
  place.set({ section });
  document.getElementById(section)?.scrollIntoView({ block: "start" });
}

const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** The last section that starts in the upper part of the window; at the end of the page the last one. */
function sectionInView(sections: readonly SectionLink[]): string {
  const isEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const line = isEnd ? Infinity : window.innerHeight * 0.3;
  let current = sections[0].id;
  for (const { id } of sections) {
    const box = document.getElementById(id)?.getBoundingClientRect();
    if (box && box.top <= line) current = id;
  }
  return current;
}

/** Follows the scroll position once the page has its final height. */
export function useSectionInView(sections: readonly SectionLink[], ready: boolean): void {
  useEffect(() => {
    if (!ready || sections.length === 0) return undefined;
    let waiting = false;
    const onScroll = () => {
      if (waiting || held !== null) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        if (held === null) place.set({ section: sectionInView(sections) });
      });
    };
    const release = () => (held = null);
    // What is unpacked later above the section must not push it away.
    const sizes = new ResizeObserver(() => held !== null && document.getElementById(held)?.scrollIntoView({ block: "start" }));
    sizes.observe(document.body);
    window.addEventListener("scroll", onScroll, { passive: true });
    for (const move of MOVES) window.addEventListener(move, release, { passive: true, capture: true });
    return () => {
      sizes.disconnect();
      window.removeEventListener("scroll", onScroll);
      for (const move of MOVES) window.removeEventListener(move, release, { capture: true });
    };
  }, [ready, sections.length]);
}

export function Navigation({ sections }: { sections: readonly SectionLink[] }) {
  const current = useObservable(place, (state) => state.section) || sections[0].id;
  return (
    <nav class="side" aria-label="Sections">
      {sections.map(({ id, label }, index) => (
        <a
          key={id}
          href={`#at=${id}`}
          aria-current={id === current ? "true" : undefined}
          onClick={(event) => {
            event.preventDefault(); // the fragment holds the view
            goTo(id);
          }}
        >
          {label} {index < 9 ? <kbd>{index + 1}</kbd> : null}
        </a>
      ))}
    </nav>
  );
}

/** `title` is shown as it is: texts of a report pass `visible` first. */
export function Section({ id, title, hint, children }: { id: string; title: ComponentChildren; hint?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title} {hint ? <small>{hint}</small> : null}</h2>
      {children}
    </section>
  );
}
