import type { Command } from "commander";
import { createClient } from "../client.ts";
import { normalizeBaseUrl } from "../config/connection.ts";
import { DEFAULT_LOGIN, deleteLogin, readLogins, storeLogin, type Login } from "../config/logins.ts";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { whyNoBrowser } from "../oauth/browser.ts";
import { logInByBrowser } from "../oauth/log-in.ts";
import { revokeTokens } from "../oauth/tokens.ts";
import { addExamples } from "../options.ts";
import { canAsk, note, print } from "../output/terminal.ts";
import { ask, readStdin } from "../prompt.ts";

interface LoginOptions {
  url?: string;
  key?: boolean;
  keyStdin?: boolean;
}

export function addLogin(program: Command): void {
  addExamples(
    program
      .command("login")
      .description("log in by the browser or with an API key, with --as under a name")
      .option("--url <url>", "the address of the service, such as https://go.example")
      .option("--key", "ask for an API key, and store it")
      .option("--key-stdin", "read an API key from stdin, and store it")
      .action(action(logIn)),
    [
      "tern login --url https://go.example",
      "tern login --url https://go.example --key-stdin < key.txt",
      "tern login --url https://staging.go.example --as staging",
    ],
  );
  addExamples(
    program
      .command("logout")
      .description("end a login by the browser, or delete the key of a login from this computer")
      .action(action(logOut)),
    ["tern logout", "tern logout --as staging"],
  );
}

async function logIn(context: Context<LoginOptions>): Promise<void> {
  const { as: login = DEFAULT_LOGIN, url, key, keyStdin } = context.options;
  const baseUrl = await chooseUrl(url, login);
  if (key === true || keyStdin === true) await logInWithKey(context, login, baseUrl);
  else await connect(context, login, baseUrl);
}

async function logInWithKey(context: Context<LoginOptions>, login: string, baseUrl: string): Promise<void> {
  const apiKey = await readKey(context.options.keyStdin === true, baseUrl);
  const { key, account } = await createClient({ baseUrl, apiKey, login }).keys.getCurrent();
  await replaceLogin(login, { baseUrl, apiKey });
  context.show({ login, baseUrl, account, key }, () => {
    print(`Logged in to ${baseUrl} as ${account.name}, with the key ${key.name} (…${key.lastFour}).`);
    noteVariable();
  });
}

async function connect(context: Context<LoginOptions>, login: string, baseUrl: string): Promise<void> {
  const reason = whyNoBrowser();
  if (reason !== undefined)
    throw new UsageError(
      `No browser can be opened here, because ${reason}: log in with an API key, by tern login --key or --key-stdin.`,
    );
  const tokens = await logInByBrowser(baseUrl);
  await replaceLogin(login, { baseUrl, tokens });
  const { account, scopes, expiresAt } = tokens;
  context.show({ login, baseUrl, account, token: { scopes, expiresAt } }, () => {
    print(`Logged in to ${baseUrl} as ${account.name}, with the scopes ${scopes.join(", ")}.`);
    noteVariable();
  });
}

function noteVariable(): void {
  if (process.env["TERN_API_KEY"]) note("TERN_API_KEY is set and wins over this login until you unset it.");
}

/** Stores the login, and ends the connection of the one that it replaces. */
async function replaceLogin(name: string, login: Login): Promise<void> {
  const former = await storeLogin(name, login);
  if (former !== undefined) await revoke(former);
}

/** Returns whether the service has ended the connection of a login by the browser. Says so if it could not be asked. */
async function revoke(login: Login): Promise<boolean> {
  try {
    await revokeTokens(login);
    return login.tokens !== undefined;
  } catch (error) {
    note(`${(error as Error).message} End the former login at ${login.baseUrl}/app/settings/apps.`);
    return false;
  }
}

async function chooseUrl(option: string | undefined, login: string): Promise<string> {
  const stored = readLogins().get(login)?.baseUrl;
  const environment = process.env["TERN_BASE_URL"] || undefined;
  // A key must not be sent to another service than that of the login.
  if (
    option === undefined &&
    stored !== undefined &&
    environment !== undefined &&
    stored !== normalizeBaseUrl(environment)
  )
    throw new UsageError(
      `The login ${login} is for ${stored}, and TERN_BASE_URL is ${environment}. Choose with --url.`,
    );
  const known = option ?? environment ?? stored;
  if (known !== undefined) return normalizeBaseUrl(known);
  if (!canAsk()) throw new UsageError("Name the service: tern login --url https://go.example");
  return normalizeBaseUrl((await ask("URL of the service: ")).trim());
}

async function readKey(fromStdin: boolean, baseUrl: string): Promise<string> {
  if (!fromStdin && !canAsk()) throw new UsageError("Nobody can enter a key here: pass it with --key-stdin.");
  if (!fromStdin) note(`Create a key at ${baseUrl}/app/settings/keys. It is not shown while you enter it.`);
  const entered = fromStdin ? (await readStdin()).toString("utf8") : await ask("API key: ", { hidden: true });
  return entered.trim();
}

async function logOut(context: Context): Promise<void> {
  const login = context.options.as ?? DEFAULT_LOGIN;
  const stored = readLogins().get(login);
  const revoked = stored !== undefined && (await revoke(stored));
  const former = await deleteLogin(login);
  context.show({ login, deleted: former !== undefined, revoked }, () => print(describeLogout(login, former)));
}

function describeLogout(name: string, former: Login | undefined): string {
  if (former === undefined) return `There was no login ${name}.`;
  if (former.tokens !== undefined) return `Deleted the login ${name} from this computer.`;
  return `Deleted the key of the login ${name} from this computer. It stays valid; tern keys revoke ends a key.`;
}
