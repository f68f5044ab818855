import type { CallContext } from "../context.ts";
import type { HttpEnv } from "../http/context.ts";
import type { Permission } from "./permissions.ts";
import type { Role } from "./roles.ts";

/** Hono's environment of a route that requires a key. */
export interface AuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext };
}

/** Hono's environment of a route that also accepts anonymous callers. */
export interface MaybeAuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext<Principal | null> };
}

/** The authenticated caller: a key of an account, or a person who acts for an account. */
export type Principal = KeyPrincipal | PersonPrincipal;

/** Settings of new links that their requests do not give. */
export interface LinkDefaults {
  domain?: string | undefined;
  redirectStatus?: 301 | 302 | 307 | 308 | undefined;
  tags?: string[] | undefined;
}

interface KeyPrincipal {
  type: "key";
  accountId: number;
  keyId: string;
  permissions: readonly Permission[];
  /** When the key expires, Unix milliseconds; null: never. */
  expiresAt: number | null;
  /** Those of the account; null: none. */
  linkDefaults: LinkDefaults | null;
}

export interface PersonPrincipal {
  type: "person";
  accountId: number;
  user: { id: string; email: string };
  sessionId: string;
  role: Role;
  /** Those of the role. */
  permissions: readonly Permission[];
  /** When the person last proved who they are, Unix milliseconds. */
  confirmedAt: number;
  /** Whether the person gave a second factor in this session, and still has one. */
  gaveFactor: boolean;
  /** Those of the account; null: none. */
  linkDefaults: LinkDefaults | null;
}

/** The context of an API request. `P` includes null if the caller may be anonymous. */
export interface RequestContext<P extends Principal | null = Principal> extends CallContext {
  principal: P;
}
