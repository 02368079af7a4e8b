export function pruneCss(css: string, script: string): string;
