import { join } from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Pages of an extension load their files by relative paths.
  base: "./",
  build: {
    target: "es2023",
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: ["popup", "options"].map((page) => join(import.meta.dirname, `${page}.html`)) },
  },
});
