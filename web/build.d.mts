export function buildPage(options?: { readable?: boolean; name?: "mem" | "phases" | "graph" | "perf" | "library" }): Promise<string>;
