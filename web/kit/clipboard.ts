// What leaves the page: text for the clipboard, files for the user. Neither makes a request.
import { notify } from "./notice";

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages opened from a file may lack the clipboard interface; the old way still works there.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export async function copyText(text: string, what: string): Promise<void> {
  notify((await writeClipboard(text)) ? `Copied ${what}` : "This browser does not let the page copy");
}

export function download(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
