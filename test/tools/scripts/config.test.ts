import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ROOT } from "../../../tools/scripts/wrangler.ts";

it("turns off the platform's own log lines, which would contain visitors' IP addresses and user agents", () => {
  const { observability, logpush } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  expect(observability).toEqual({ logs: { enabled: true, invocation_logs: false } });
  expect(logpush).toBeUndefined();
});
