// What a page shows, kept in the fragment of its address: a link leads to the same view.
import { useEffect, useState } from "preact/hooks";
import { showInAddress } from "./address";

/** `read` must take any text: fragments are typed and mailed. */
export function useFragment<View extends object>(read: (fragment: string) => View, write: (view: View) => string): [View, (part: Partial<View>) => void] {
  const [view, setView] = useState(() => read(location.hash));
  useEffect(() => {
    const onChange = () => setView(read(location.hash));
    window.addEventListener("hashchange", onChange);
    return () => window.removeEventListener("hashchange", onChange);
  }, []);
  const change = (part: Partial<View>) =>
    setView((before) => {
      const next = { ...before, ...part };
      showInAddress(write(next));
      return next;
    });
  return [view, change];
}
