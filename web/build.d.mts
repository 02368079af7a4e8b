export function buildPage(options?: { readable?: boolean; name?: "report" | "library" | "phases" | "graph" | "perf" }): Promise<string>;
