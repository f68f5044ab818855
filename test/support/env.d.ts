// Bindings that only the tests have (vitest.config.ts).
declare namespace Cloudflare {
  interface Env {
    SCHEMA: string;
    INTERNET: Fetcher;
  }
}
