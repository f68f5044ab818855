import type { Command } from "commander";
import { action, type Context } from "../context.ts";
import { addExamples } from "../options.ts";
import { printDetails } from "../output/table.ts";

export function addWhoami(program: Command): void {
  addExamples(
    program.command("whoami").description("show the account and the key in use").action(action(showIdentity)),
    ["tern whoami", "tern whoami --as staging", "tern whoami --json"],
  );
}

async function showIdentity(context: Context): Promise<void> {
  const { baseUrl, login } = context.connection;
  const { key, account } = await context.client.keys.getCurrent();
  context.show({ login: login ?? null, baseUrl, account, key }, () => {
    printDetails({
      account: account.name,
      service: baseUrl,
      from: login === undefined ? "TERN_API_KEY" : `login ${login}`,
      key: `${key.name} (…${key.lastFour})`,
      permissions: key.permissions.join(", "),
      expires: key.expiresAt === null ? undefined : new Date(key.expiresAt),
    });
  });
}
