import type { Command } from "commander";
import type { Tokens } from "../config/logins.ts";
import { action, type Context } from "../context.ts";
import { renewTokens } from "../oauth/tokens.ts";
import { addExamples } from "../options.ts";
import { printDetails } from "../output/table.ts";

export function addWhoami(program: Command): void {
  addExamples(
    program
      .command("whoami")
      .description("show the account, and the key or the login in use")
      .action(action(showIdentity)),
    ["tern whoami", "tern whoami --as staging", "tern whoami --json"],
  );
}

async function showIdentity(context: Context): Promise<void> {
  const { baseUrl, login, tokens } = context.connection;
  if (tokens !== undefined && login !== undefined) return showLogin(context, login, { baseUrl, tokens });
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

/** The answer to a refresh says whether the login goes on, and how the account is called now. */
async function showLogin(
  context: Context,
  login: string,
  { baseUrl, tokens }: { baseUrl: string; tokens: Tokens },
): Promise<void> {
  const { account, scopes, expiresAt } = await renewTokens(login, baseUrl, tokens.accessToken);
  context.show({ login, baseUrl, account, token: { scopes, expiresAt } }, () => {
    printDetails({
      account: account.name,
      service: baseUrl,
      from: `login ${login}, by the browser`,
      scopes: scopes.join(", "),
      "token until": new Date(expiresAt),
    });
  });
}
