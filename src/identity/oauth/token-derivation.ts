import { APP_TOKEN_STARTS } from "../../platform/auth/app-token.ts";
import { toBase64Url } from "../../platform/lib/base64url.ts";
import { fromBase64, readKeys } from "../../platform/lib/encryption.ts";
import { signWith } from "../../platform/lib/hmac.ts";
import { hashToken } from "../../platform/lib/token.ts";
import type { NewTokens } from "./store/tokens.ts";

/** Tokens as the client gets them, with their stored forms. */
export interface IssuedTokens {
  access: string;
  refresh: string;
  hashes: NewTokens;
}

export async function withHashes(tokens: { access: string; refresh: string }): Promise<IssuedTokens> {
  const [access, refresh] = await Promise.all([hashToken(tokens.access), hashToken(tokens.refresh)]);
  return { ...tokens, hashes: { access, refresh } };
}

/**
 * The tokens that replace a refresh token. They are computed from it and a key of the operator, so that the same request has
 * the same answer although only hashes are stored. `successor` is the stored hash of the one that has replaced it, perhaps with
 * a former key; null: none has. Returns null if no key is left that made it.
 */
export async function successorsOf(
  env: Env,
  refreshToken: string,
  successor: string | null,
): Promise<IssuedTokens | null> {
  for (const { bytes } of readKeys(env.ENCRYPTION_KEYS)) {
    const tokens = await derive(bytes, refreshToken);
    if (successor === null || tokens.hashes.refresh === successor) return tokens;
  }
  return null;
}

async function derive(key: BufferSource, refreshToken: string): Promise<IssuedTokens> {
  const [access, refresh] = await Promise.all(
    (["access", "refresh"] as const).map(async (kind) => {
      const signature = await signWith(key, `${kind} token after a refresh token`, refreshToken);
      return APP_TOKEN_STARTS[kind] + toBase64Url(fromBase64(signature));
    }),
  );
  return withHashes({ access: access ?? "", refresh: refresh ?? "" });
}
