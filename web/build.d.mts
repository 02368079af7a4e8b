export function buildPage(options?: { readable?: boolean }): Promise<string>;
