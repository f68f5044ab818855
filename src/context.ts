import type { Permission } from "./auth/permissions.ts";
import type { Role } from "./auth/roles.ts";
import { originWithoutRequest } from "./lib/hosts.ts";

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
  /** Whether the person has a second factor. */
  hasFactor: boolean;
  /** Those of the account; null: none. */
  linkDefaults: LinkDefaults | null;
}

/** The environment of logic. Unlike Hono's context it exists for requests, queue batches and the cron. */
export interface ServiceContext {
  env: Env;
  /** Keeps the invocation alive until the promise settles. The response does not wait for it. */
  waitUntil(this: void, promise: Promise<unknown>): void;
  /** The time of the request, or the scheduled time of the job, in Unix milliseconds. */
  now: number;
  /** The service's origin, without a trailing slash. */
  baseUrl: string;
}

/** The context of work for one account, by a request or by a job. */
export type AccountContext = ServiceContext & { principal: { accountId: number } };

/** The context of an API request. `P` includes null if the caller may be anonymous. */
export interface RequestContext<P extends Principal | null = Principal> extends ServiceContext {
  principal: P;
  requestId: string;
  /** The country that the request came from; null: unknown. */
  country: string | null;
}

/** The context of a job: the cron or a queue consumer. */
export function createJobContext(env: Env, ctx: Pick<ExecutionContext, "waitUntil">, now: number): ServiceContext {
  return { env, waitUntil: (promise) => ctx.waitUntil(promise), now, baseUrl: originWithoutRequest(env.BASE_URL) };
}
