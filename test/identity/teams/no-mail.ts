import type { Role } from "../../../src/platform/auth/roles.ts";
import { freshAddress } from "../../support/address.ts";
import { Browser, newEmail, PASSWORD, type Reply } from "../people/support.ts";
import type { Person, TeamOf } from "./support.ts";

/** A service that can send no mails. */
export const NO_MAIL = { MAIL_API_TOKEN: "", MAIL_FROM: "" };

/** Sends a request to it, from an address that no other request has. */
export function send(browser: Browser, method: string, path: string, body?: unknown): Promise<Reply> {
  return browser.send(method, path, { body, headers: { "CF-Connecting-IP": freshAddress() }, bindings: NO_MAIL });
}

export const tokenOf = ({ body }: Reply) => /#token=([\w-]{43})$/.exec(String(body["link"]))?.[1] ?? "";

export const invite = ({ id }: TeamOf, { browser }: Pick<Person, "browser">, email: string, role: Role) =>
  send(browser, "POST", `/api/teams/${id}/invitations`, { email, role });

/** Adds a person who signs up with the link that the owner got. */
export async function joinByLink(team: TeamOf, role: Role): Promise<Person> {
  const [email, browser] = [newEmail(), new Browser()];
  const invitation = tokenOf(await invite(team, team.owner, email, role));
  const reply = await send(browser, "POST", "/api/auth/sign-up", {
    email,
    password: PASSWORD,
    name: "Bob Roe",
    invitation,
  });
  if (reply.status !== 200) throw new Error(`sign-up: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { browser, email, userId: (reply.body["user"] as { id: string }).id };
}

export const makeLink = ({ id }: TeamOf, { browser }: Pick<Person, "browser">, { userId }: Pick<Person, "userId">) =>
  send(browser, "POST", `/api/teams/${id}/members/${userId}/password-reset`, {});

export const useLink = (token: string, password: string) =>
  send(new Browser(), "POST", "/api/auth/password/reset", { token, password });

export const signInAs = ({ email }: Pick<Person, "email">, password: string) =>
  send(new Browser(), "POST", "/api/auth/sign-in", { email, password });

/** The codes of an answer's details. */
export const codesOf = ({ status, body }: Reply): [number, string | undefined] => [
  status,
  (body["details"] as { code: string }[] | undefined)?.[0]?.code,
];

interface Shown {
  title: string;
  createdAt: number;
}

/** The notices that the person sees. */
export const noticesOf = async (browser: Browser) =>
  (await send(browser, "GET", "/api/auth/session")).body["notices"] as Shown[];
