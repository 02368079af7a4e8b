import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { kit: new URL("./kit", import.meta.url).pathname } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: { include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"], environment: "node" },
});
