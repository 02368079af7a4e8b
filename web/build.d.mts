export const PAGES: Record<string, object>;
export function buildPage(options?: { readable?: boolean; name?: string }): Promise<string>;
