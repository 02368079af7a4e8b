import { useState } from "preact/hooks";
import type { PerfData } from "./data";
import { Cores, Riscs, Roofline } from "./roofline";
import { AdviceList, Devices, Head, Stacked, Trust } from "./summary";
import { OpsTable } from "./table";
import { Timeline } from "./timeline";

const SECTIONS: [string, string][] = [
  ["stacked", "Where the time goes"],
  ["advice", "Advice"],
  ["timeline", "Timeline"],
  ["ops", "Ops"],
  ["roofline", "Roofline"],
  ["riscs", "Processors"],
  ["cores", "Cores"],
  ["devices", "Devices"],
  ["trust", "Trust"],
];

function ThemeSwitch() {
  const [dark, setDark] = useState(document.documentElement.dataset.theme === "dark");
  return (
    <button
      type="button"
      id="theme"
      onClick={() => {
        document.documentElement.dataset.theme = dark ? "light" : "dark";
        setDark(!dark);
      }}
    >
      {dark ? "Light" : "Dark"}
    </button>
  );
}

export function App({ data }: { data: PerfData }) {
  const [selected, setSelected] = useState<number | null>(null);
  const select = (row: number) => setSelected(row >= 0 ? row : null);
  const hasDevices = data.document.skew.devices.length > 1;
  return (
    <>
      <nav class="top" aria-label="Sections">
        {SECTIONS.filter(([id]) => id !== "devices" || hasDevices).map(([id, name]) => (
          <a key={id} href={`#${id}`}>{name}</a>
        ))}
        <ThemeSwitch />
      </nav>
      <main>
        <Head data={data} />
        <Stacked data={data} />
        <AdviceList data={data} onSelect={select} />
        <Timeline data={data} selected={selected} onSelect={select} />
        <OpsTable data={data} selected={selected} onSelect={select} />
        <Roofline data={data} selected={selected} onSelect={select} />
        <Riscs data={data} selected={selected} />
        <Cores data={data} />
        <Devices data={data} />
        <Trust data={data} />
      </main>
    </>
  );
}
