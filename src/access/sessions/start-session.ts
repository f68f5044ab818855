import type { Batch, Result } from "../../platform/database/batch.ts";
import type { Condition } from "../../platform/database/parameters.ts";
import { sign, verifySignature } from "../../platform/lib/hmac.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { DEVICE_COOKIE_TTL_MS } from "../../limits.ts";
import { readUserAgent } from "../../platform/visitor/user-agent.ts";
import { readVersions } from "../../platform/visitor/versions.ts";
import { hashToken, newToken } from "../../platform/lib/token.ts";
import type { VisitorContext } from "./session.ts";
import * as store from "./store/sessions.ts";

/** What the browser of a new session gets. */
export interface StartedSession {
  id: string;
  /** The value of the session's cookie. */
  cookie: string;
  /** Has a row once the batch is committed, if the condition held. */
  stored: Result<{ id: string }>;
}

/**
 * Adds a session of the user to the batch, for the browser that sent the request, and ends its former one, if the condition
 * holds. `proof` is what the person proved the identity with.
 */
export async function startSession(
  batch: Batch,
  { now, sender, country }: VisitorContext,
  userId: string,
  condition: Condition,
  proof: store.SessionProof = "other",
): Promise<StartedSession> {
  const cookie = newToken();
  const id = newId(now);
  const { device, browser, os } = readUserAgent(sender.userAgent);
  const versions = readVersions(sender.userAgent, { browser, os });
  const session = { id, hash: await hashToken(cookie), userId, device, browser, os, ...versions, country };
  if (sender.session !== undefined) store.endFormerSession(batch, await hashToken(sender.session), condition);
  return { id, cookie, stored: store.addSession(batch, session, proof, now, condition) };
}

const DEVICE_PURPOSE = "cookie of a browser that has signed in";

/** The person whose browsers device cookies are for. */
export interface DeviceOwner {
  /** The address in the form in which addresses are compared. */
  emailKey: string;
  /** It changes when the person's device cookies end. */
  deviceEpoch: string;
}

/**
 * The value of the cookie by which a browser is known to have signed in with this address: an expiry, a random name and a
 * signature over both, the address and the epoch.
 */
export async function newDeviceCookie({ env, now }: VisitorContext, owner: DeviceOwner): Promise<string> {
  const name = `${now + DEVICE_COOKIE_TTL_MS}.${newToken()}`;
  return `${name}.${await sign(env.ENCRYPTION_KEYS, DEVICE_PURPOSE, signedText(name, owner))}`;
}

/** The name of the browser, if it has signed in with this address and its cookie has not ended; otherwise null. */
export async function knownDevice({ env, now, sender }: VisitorContext, owner: DeviceOwner): Promise<string | null> {
  const [expiresAt = "", random = "", signature = ""] = (sender.device ?? "").split(".");
  const name = `${expiresAt}.${random}`;
  const text = signedText(name, owner);
  const isGenuine = await verifySignature(env.ENCRYPTION_KEYS, DEVICE_PURPOSE, text, signature);
  return isGenuine && Number(expiresAt) > now ? name : null;
}

function signedText(name: string, { emailKey, deviceEpoch }: DeviceOwner): string {
  return `${name} ${deviceEpoch} ${emailKey}`;
}
