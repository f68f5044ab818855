import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser, signUp, type Person } from "../../../e2e/support/browser.ts";
import { exchange, type Answer } from "../../../e2e/support/http.ts";
import { until } from "../../../support/until.ts";
import { installation } from "./installation.ts";
import { outcomeOf, type Outcome, type Tern } from "./tern.ts";

/** The variables of a service where everybody may sign up. */
export const PEOPLE = { SIGN_UP: "open", PASSWORD_RANGE_URL: "" };

let persons = 0;

export function newPerson(): Promise<Person> {
  const { here, front } = installation;
  return signUp(here, `ann${++persons}@example.com`, "Ann Lee", new Browser(here, front.origin));
}

/** A `tern login` that waits for the answer of the browser. */
interface Waiting {
  /** What it asks the browser to open. */
  page: URL;
  outcome: Promise<Outcome>;
  interrupt: () => void;
}

/** Starts a login in a terminal with a display, whose browser keeps the page for the test. */
export async function startLogin(tern: Tern, ...args: string[]): Promise<Waiting> {
  const [programs, kept] = [join(tern.folder, "programs"), join(tern.folder, "page")];
  mkdirSync(programs, { recursive: true });
  rmSync(kept, { force: true });
  const opener = join(programs, "xdg-open");
  writeFileSync(opener, '#!/bin/sh\nprintf %s "$1" > "$HOME/page.part" && mv "$HOME/page.part" "$HOME/page"\n');
  chmodSync(opener, 0o755);
  const environment = { DISPLAY: ":99", PATH: `${programs}:${process.env["PATH"]}` };
  const child = tern.startInTerminal(["login", "--url", installation.front.origin, ...args], environment);
  const outcome = outcomeOf(child);
  await Promise.race([until(() => existsSync(kept)), outcome]);
  if (!existsSync(kept)) throw new Error((await outcome).output);
  child.once("exit", () => child.stdin?.end());
  return {
    page: new URL(readFileSync(kept, "utf8")),
    outcome,
    interrupt: () => void child.stdin?.write("\u0003"),
  };
}

/** The person decides at the page. Returns where the browser goes. `scopes`: by default all. */
export async function decide({ browser }: Person, page: URL, allow: boolean, scopes?: string[]): Promise<URL> {
  const query = page.search.slice(1);
  const { body } = await browser.send("POST", "/api/auth/apps/describe", { query });
  const all = (body["scopes"] as { name: string }[]).map(({ name }) => name);
  const decision = { query, allow, scopes: scopes ?? all };
  const decided = await browser.send("POST", "/api/auth/apps/decide", decision);
  return new URL(decided.body["redirectUri"] as string);
}

/** The browser goes to the address on this computer. */
export function visit(url: URL, headers: Record<string, string> = {}): Promise<Answer> {
  const path = url.pathname + url.search;
  return exchange({ address: url, method: "GET", path, headers: { Host: url.host, ...headers } });
}

/** Logs in by the browser. */
export async function logIn(tern: Tern, person: Person, scopes?: string[], ...args: string[]): Promise<Outcome> {
  const login = await startLogin(tern, ...args);
  await visit(await decide(person, login.page, true, scopes));
  return login.outcome;
}

export async function appsOf({ browser }: Person): Promise<{ id: string }[]> {
  return (await browser.send("GET", "/api/auth/apps")).body["apps"] as { id: string }[];
}
