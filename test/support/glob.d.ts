// What Vite makes of a pattern (test/setup.ts).
interface ImportMeta {
  glob: (patterns: readonly string[], options: { eager: true }) => Record<string, unknown>;
}
