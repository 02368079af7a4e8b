export function buildPage(options?: { readable?: boolean; name?: "report" | "library" | "perf" }): Promise<string>;
