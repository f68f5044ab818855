import type { CallContext } from "../context.ts";
import type { HttpEnv } from "../http/context.ts";
import type { Permission } from "./permissions.ts";
import type { Role } from "./roles.ts";
import type { AppResource } from "./scopes.ts";

/** Hono's environment of a route that requires a key. */
export interface AuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext };
}

/** Hono's environment of a route that also accepts anonymous callers. */
export interface MaybeAuthEnv extends HttpEnv {
  Variables: HttpEnv["Variables"] & { context: RequestContext<Principal | null> };
}

/** The authenticated caller: a key of an account, a person who acts for an account, or an app that acts for such a person. */
export type Principal = KeyPrincipal | PersonPrincipal | AppPrincipal;

/** Settings of new links that their requests do not give. */
export interface LinkDefaults {
  domain?: string | undefined;
  redirectStatus?: 301 | 302 | 307 | 308 | undefined;
  tags?: string[] | undefined;
}

interface OfAccount {
  accountId: number;
  /** Settings of new links that the account has; null: none. */
  linkDefaults: LinkDefaults | null;
  /** Whether the account was not trusted yet when the caller was read. */
  isUntrusted: boolean;
}

interface KeyPrincipal extends OfAccount {
  type: "key";
  keyId: string;
  /** Its own rate limits. Null or undefined: it shares those of its address. */
  limits?: { keyId: string; factor: number } | null;
  permissions: readonly Permission[];
  /** When the key expires, Unix milliseconds; null: never. */
  expiresAt: number | null;
}

export interface PersonPrincipal extends OfAccount {
  type: "person";
  user: { id: string; email: string };
  sessionId: string;
  role: Role;
  /** Those of the role. */
  permissions: readonly Permission[];
  /** When the person last proved who they are, Unix milliseconds. */
  confirmedAt: number;
  /** Whether the person gave a second factor in this session, and still has one. */
  gaveFactor: boolean;
}

/** An app that a person connected to an account (src/identity/oauth). */
export interface AppPrincipal extends OfAccount {
  type: "app";
  accountName: string;
  user: { id: string; email: string };
  grantId: string;
  /** What its tokens are for, and the origin of the service as the app names it. */
  resource: AppResource;
  origin: string;
  /** When the person last proved who they are before the app was connected, Unix milliseconds. */
  confirmedAt: number;
  /** The name that the app gives itself. */
  appName: string;
  /** That of the person. */
  role: Role;
  /** Those of the role that are scopes of the grant. */
  permissions: readonly Permission[];
  /** The permissions that the person was asked for and did not give. */
  refused: readonly Permission[];
}

/** The context of an API request. `P` includes null if the caller may be anonymous. */
export interface RequestContext<P extends Principal | null = Principal> extends CallContext {
  principal: P;
  /** There is no principal, and its network creates many links at once. */
  isBurst?: boolean;
}
