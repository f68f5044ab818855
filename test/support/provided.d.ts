import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether the tests run each night, and try everything (docs/testing.md). */
    isNightly: boolean;
  }
}
