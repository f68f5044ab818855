import { vi } from "vitest";
import { manageAccount } from "../../../../tools/scripts/account.ts";
import { newDatabase } from "./database.ts";
import { FakeWrangler } from "./fake-wrangler.ts";

/** `npm run account -- ... --remote` for a new deployed database, and what it prints. Printing is restored after the test. */
export async function remoteAccounts() {
  const wrangler = new FakeWrangler(await newDatabase());
  wrangler.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const manage = async (...args: string[]): Promise<string> => {
    log.mockClear();
    await manageAccount([...args, "--remote"], wrangler.run);
    return log.mock.calls.join("\n");
  };
  return { database: wrangler.data, manage };
}
