import { toHex } from "../platform/lib/hash.ts";

const CHALLENGE_BYTES = 16;

/** A new secret of one account for one domain: 32 hexadecimal digits. */
export function newChallengeToken(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)));
}

/** The name of the TXT record that proves the ownership of a domain. */
export function challengeName(domain: string): string {
  return `_tern-challenge.${domain}`;
}

/** The value of that TXT record. */
export function challengeValue(token: string): string {
  return `tern-verification=${token}`;
}
