// Talking to the server: the list, its changes, uploads. All addresses are relative to the page, whose own holds the token.
import type { Job, Library } from "./library";

const RETRY_MS = 2000;

export interface Watcher {
  onLibrary: (library: Library) => void;
  /** The server does not answer; it is asked again until it does. */
  onLost: () => void;
}

async function ask(path: string, signal: AbortSignal): Promise<Library> {
  const answer = await fetch(path, { signal, cache: "no-store", credentials: "omit" });
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return (await answer.json()) as Library;
}

const pause = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms));

/** Follows the library: each request waits at the server until there is something new. Returns how to stop. */
export function watchLibrary({ onLibrary, onLost }: Watcher): () => void {
  const stop = new AbortController();
  const follow = async () => {
    let version: number | null = null;
    while (!stop.signal.aborted) {
      try {
        const library: Library = await ask(version === null ? "api/library" : `api/changes?after=${version}`, stop.signal);
        version = library.version;
        onLibrary(library);
      } catch {
        if (stop.signal.aborted) return;
        version = null;
        onLost();
        await pause(RETRY_MS);
      }
    }
  };
  void follow();
  return () => stop.abort();
}

/** Asks for the comparison of two reports. The job that the server makes of it, or an error to show. */
export async function compare(before: string, after: string): Promise<Job> {
  const answer = await fetch(`api/diffs?before=${encodeURIComponent(before)}&after=${encodeURIComponent(after)}`, { method: "POST", cache: "no-store" });
  const body = (await answer.json().catch(() => null)) as { job?: Job; error?: string } | null;
  if (!answer.ok || !body?.job) throw new Error(body?.error ?? `the server answers ${answer.status}`);
  return body.job;
}

/** Sends a log. `onProgress` gets the share that has been sent. The job that the server makes of it, or an error to show. */
export function upload(file: File, onProgress: (share: number) => void): Promise<Job> {
  return new Promise((resolve, reject) => {
    // Not fetch: it cannot tell how much of a body has been sent.
    const request = new XMLHttpRequest();
    request.open("POST", `api/logs?name=${encodeURIComponent(file.name)}`);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status === 202) resolve((request.response as { job: Job }).job);
      else reject(new Error((request.response as { error?: string } | null)?.error ?? `the server answers ${request.status}`));
    };
    request.onerror = () => reject(new Error("the connection to the server broke"));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}
