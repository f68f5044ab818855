import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ROOT } from "../e2e/support/build.ts";

it("has no log lines of the platform's own, which would hold visitors' addresses and user agents", () => {
  const { observability, logpush } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  expect(observability).toEqual({ logs: { enabled: true, invocation_logs: false } });
  expect(logpush).toBeUndefined();
});
