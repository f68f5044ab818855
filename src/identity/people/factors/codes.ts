import { open, seal } from "../../../platform/lib/encryption.ts";
import { sha256Hex } from "../../../platform/lib/hash.ts";
import { RECOVERY_CODE_BYTES, RECOVERY_CODES, TOTP_DIGITS, TOTP_PERIOD_SECONDS, TOTP_SECRET_BYTES } from "../limits.ts";

// Codes of authenticator apps (TOTP, RFC 6238) and recovery codes. The library is loaded when it is first used.

const OPTIONS = { algorithm: "SHA1", digits: TOTP_DIGITS, period: TOTP_PERIOD_SECONDS };
const ISSUER = "Tern";

/** A new secret for an authenticator app, in base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ size: TOTP_SECRET_BYTES }).base32;
}

/** The URI by which an app takes over the secret. `label` is shown beside the code. */
export async function totpUri(secret: string, label: string): Promise<string> {
  const { TOTP } = await import("otpauth");
  return new TOTP({ ...OPTIONS, issuer: ISSUER, label, secret }).toString();
}

/**
 * Returns the time step (Unix seconds / 30) whose code this is: the present or the previous one, because a code may be
 * typed while the step ends. null: the code is wrong.
 */
export async function findStep(secret: string, code: string, now: number): Promise<number | null> {
  const { Secret, TOTP } = await import("otpauth");
  const token = code.replaceAll(/\s/g, "");
  const key = Secret.fromBase32(secret);
  const periodMs = TOTP_PERIOD_SECONDS * 1_000;
  for (const timestamp of [now, now - periodMs])
    if (TOTP.validate({ ...OPTIONS, token, secret: key, timestamp, window: 0 }) !== null)
      return Math.floor(timestamp / periodMs);
  return null;
}

export function sealTotpSecret(env: Env, userId: string, secret: string): Promise<string> {
  return seal(env.ENCRYPTION_KEYS, secret, `totp ${userId}`);
}

export function openTotpSecret(env: Env, userId: string, sealed: string): Promise<string> {
  return open(env.ENCRYPTION_KEYS, sealed, `totp ${userId}`);
}

export interface RecoveryCodes {
  /** As the person writes them down. */
  codes: string[];
  /** Their stored form. */
  hashes: string[];
}

/** New recovery codes of 120 random bits each. */
export async function newRecoveryCodes(): Promise<RecoveryCodes> {
  const { Secret } = await import("otpauth");
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_CODE_BYTES }).base32.toLowerCase().replaceAll(/.{4}(?!$)/g, "$&-"),
  );
  return { codes, hashes: await Promise.all(codes.map(hashRecoveryCode)) };
}

/** The stored form of a recovery code. Case, spaces and hyphens do not count. */
export function hashRecoveryCode(code: string): Promise<string> {
  return sha256Hex(code.toLowerCase().replaceAll(/[\s-]/g, ""));
}
