import { expect, onTestFinished, test, vi } from "vitest";
import { backup } from "../../../tools/scripts/backup.ts";
import { manageAccount } from "../../../tools/scripts/account.ts";
import { showHealth } from "../../../tools/scripts/health.ts";
import { reportKeys } from "../../../tools/scripts/keys.ts";
import { restore } from "../../../tools/scripts/restore.ts";
import type { Wrangler } from "../../../tools/scripts/wrangler.ts";
import { copyProject, runScript } from "./support/command.ts";

const ACCOUNT_ID = "0123456789abcdef0123456789abcdef";

test.each([
  ["account", (run: Wrangler) => manageAccount(["disable", "Acme", "--remote"], run)],
  ["backup", (run: Wrangler) => backup(["--out", "unused", "--remote"], run)],
  ["restore", (run: Wrangler) => restore(["--end-access", "--remote"], run)],
  ["health", (run: Wrangler) => showHealth(["--remote"], run)],
  ["keys", (run: Wrangler) => reportKeys(["--remote"], run)],
])("%s names the deployed service before it asks it", async (_, command) => {
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", ACCOUNT_ID);
  const told = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const line = `Deployed service: Worker "tern", database "tern", Cloudflare account ${ACCOUNT_ID}`;
  const run: Wrangler = () => {
    expect(told.mock.calls).toEqual([[line]]);
    return Promise.resolve({ exitCode: 1, output: "", errors: "asked" });
  };
  await expect(command(run)).rejects.toThrow("asked");
});

test("without an option, a command names the default local database and the option for the deployed one", async () => {
  const { errors } = await runScript("account.ts", ["disable", "no such account"], {}, copyProject());
  expect(errors.split("\n")[0]).toBe("Local database in .wrangler/state. For the deployed service, add --remote.");
});
