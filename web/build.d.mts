export function buildPage(options?: { readable?: boolean; name?: "report" | "library" }): Promise<string>;
