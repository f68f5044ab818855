import type { BrowserContext } from "playwright-core";
import { addPersonEntry } from "../../../src/access/audit/person-entry.ts";
import { Batch } from "../../../src/platform/database/batch.ts";
import { ALWAYS } from "../../../src/platform/database/parameters.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { hashPassword } from "../../../src/identity/people/password-hashing/scrypt.ts";
import { addUser } from "../../../src/identity/people/users/store.ts";
import { SESSION_COOKIE } from "../../../src/platform/lib/cookie-names.ts";
import type { VisitorContext } from "../../../src/access/sessions/session.ts";
import { startSession } from "../../../src/access/sessions/start-session.ts";
import { VISITOR } from "./browser.ts";
import { ORIGIN } from "./dashboard.ts";
import { database } from "./database.ts";
import { PASSWORD } from "./people.ts";

export interface Person {
  email: string;
  password: string;
  name: string;
}

/** That of all requests to the local runtime. */
const COUNTRY = "US";

/** A hash takes a quarter of a second. */
let hash: string | undefined;
let nextPerson = 1;

/** Adds a new person to the database of the service, and a session for the browser context, as a sign-up does. */
export async function signInNewPerson(context: BrowserContext, name = "Ann Lee"): Promise<Person> {
  const now = Date.now();
  const [id, accountUuid] = [newId(now), newId(now)];
  const person = { email: `person${process.pid}x${nextPerson++}@example.com`, password: PASSWORD, name };
  const batch = new Batch(database);
  const passwordHash = (hash ??= hashPassword(PASSWORD));
  addUser(batch, { id, email: person.email, name, passwordHash, accountUuid, trustAt: null }, now, ALWAYS);
  const visitor = { now, country: COUNTRY, sender: { userAgent: VISITOR } } as VisitorContext;
  const { cookie } = await startSession(batch, visitor, id, ALWAYS);
  addPersonEntry(batch, visitor, id, { action: "user.sign_up", targetId: id });
  await batch.commit();
  const attributes = { url: ORIGIN, httpOnly: true, sameSite: "Lax" } as const;
  await context.addCookies([{ ...attributes, name: SESSION_COOKIE, value: cookie }]);
  return person;
}
