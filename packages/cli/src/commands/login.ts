import type { Command } from "commander";
import { createClient } from "../client.ts";
import { normalizeBaseUrl } from "../config/connection.ts";
import { DEFAULT_LOGIN, deleteLogin, readLogins, storeLogin } from "../config/logins.ts";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { addExamples } from "../options.ts";
import { canAsk, note, print } from "../output/terminal.ts";
import { ask, readStdin } from "../prompt.ts";

interface LoginOptions {
  url?: string;
  keyStdin?: boolean;
}

export function addLogin(program: Command): void {
  addExamples(
    program
      .command("login")
      .description("check an API key and store it, with --as under a name")
      .option("--url <url>", "the address of the service, such as https://go.example")
      .option("--key-stdin", "read the key from stdin instead of asking for it")
      .action(action(logIn)),
    [
      "tern login --url https://go.example",
      "tern login --url https://go.example --key-stdin < key.txt",
      "tern login --url https://staging.go.example --as staging",
    ],
  );
  addExamples(
    program.command("logout").description("delete the key of a login from this computer").action(action(logOut)),
    ["tern logout", "tern logout --as staging"],
  );
}

async function logIn(context: Context<LoginOptions>): Promise<void> {
  const login = context.options.as ?? DEFAULT_LOGIN;
  const baseUrl = await chooseUrl(context.options.url, login);
  const apiKey = await readKey(context.options.keyStdin === true, baseUrl);
  const { key, account } = await createClient({ baseUrl, apiKey }).keys.getCurrent();
  await storeLogin(login, { baseUrl, apiKey });
  context.show({ login, baseUrl, account, key }, () => {
    print(`Logged in to ${baseUrl} as ${account.name}, with the key ${key.name} (…${key.lastFour}).`);
    if (process.env["TERN_API_KEY"]) note("TERN_API_KEY is set and wins over this key until you unset it.");
  });
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
  const deleted = await deleteLogin(login);
  context.show({ login, deleted }, () => {
    print(
      deleted
        ? `Deleted the key of the login ${login} from this computer. It stays valid; tern keys revoke ends a key.`
        : `There was no login ${login}.`,
    );
  });
}
