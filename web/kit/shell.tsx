// What stands around every page: head, navigation, foot, the list of keys, messages.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visible } from "./format";
import { closeHelp, HelpOverlay, toggleHelp } from "./help";
import { listenToKeys } from "./keys";
import type { KeyHelp, KeyMap } from "./keys";
import { Notice } from "./notice";
import { goTo, Navigation, useSectionInView } from "./sections";
import type { SectionLink } from "./sections";
import { toggleTheme } from "./theme";

interface ShellProps {
  /** Of the report. */
  name: string;
  /** Controls of the page in its head. */
  tools?: ComponentChildren;
  /** None: a page without navigation. */
  sections: readonly SectionLink[];
  /** What the page's own keys do, "/" and Escape among them. */
  keys?: KeyMap;
  help?: readonly KeyHelp[];
  /** What the address of the page is good for. */
  note?: string;
  version: string;
  foot: string;
  /** False until everything is there. */
  ready?: boolean;
  /** Beside the page. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

const LINK_NOTE = "The address of the page holds the exact view: copy it to come back, or to show it to somebody who has the file.";

function Head({ name, tools }: { name: string; tools: ComponentChildren }) {
  return (
    <header class="top">
      <div class="brand">
        <span class="logo" aria-hidden="true" />
        <b>ttscope</b>
        <span class="report-name" title={name}>{name}</span>
      </div>
      <div class="top-tools">
        {tools}
        <button type="button" id="theme" class="icon-button" title="Light or dark (T)" aria-label="Switch between light and dark" onClick={toggleTheme}>◐</button>
        <button type="button" class="icon-button" title="Keys (?)" aria-label="Keyboard help" onClick={toggleHelp}>?</button>
      </div>
    </header>
  );
}

function actionOf(key: string, { sections, keys = {} }: ShellProps): (() => void) | undefined {
  if (/^[1-9]$/.test(key)) {
    const section = sections[Number(key) - 1];
    return section && (() => goTo(section.id));
  }
  if (key === "t") return toggleTheme;
  if (key === "?") return toggleHelp;
  return key === "escape" ? () => void (closeHelp() || keys["escape"]?.()) : keys[key];
}

function helpOf({ sections, help = [] }: ShellProps): KeyHelp[] {
  const own: KeyHelp[] = [
    { keys: ["T"], what: "light or dark" },
    { keys: ["Esc"], what: "close, clear the selection" },
    { keys: ["?"], what: "this list" },
  ];
  return [...help, ...(sections.length > 0 ? [{ keys: ["1 … 9"], what: "go to a section" }] : []), ...own];
}

export function Shell(props: ShellProps) {
  const { sections, ready = true } = props;
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => listenToKeys((key) => actionOf(key, latest.current)), []);
  useEffect(() => {
    if (ready) document.documentElement.dataset["ready"] = "yes";
  }, [ready]);
  useSectionInView(sections, ready);
  const name = visible(props.name);
  return (
    <>
      {sections.length > 0 ? <a class="skip" href={`#at=${sections[0].id}`} onClick={(event) => { event.preventDefault(); document.querySelector("main")?.focus(); }}>Skip to the report</a> : null}
      <Head name={name} tools={props.tools} />
      {sections.length > 0 ? <Navigation sections={sections} /> : null}
      <main tabIndex={-1}>
        {props.children}
        <footer class="foot">ttscope {visible(props.version)} · {visible(props.foot)}</footer>
      </main>
      {props.aside}
      <HelpOverlay keys={helpOf(props)} note={props.note ?? LINK_NOTE} />
      <Notice />
    </>
  );
}
