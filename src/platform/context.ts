import type { AppLanguage } from "./languages.ts";
import { originWithoutRequest } from "./lib/hosts.ts";

/** The environment of logic. Unlike Hono's context it exists for requests, queue batches and the cron. */
export interface ServiceContext {
  env: Env;
  /** That of `env`. What has a context names it so. */
  db: D1Database;
  /** Keeps the invocation alive until the promise settles. The response does not wait for it. */
  waitUntil(this: void, promise: Promise<unknown>): void;
  /** The time of the request, or the scheduled time of the job, in Unix milliseconds. */
  now: number;
  /** The service's origin, without a trailing slash. */
  baseUrl: string;
  /** The language of the browser that sent the request (src/platform/lib/browser-language.ts). Absent: no request is the cause. */
  readLanguage?: (this: void) => AppLanguage;
}

/** The context of work for one account, by a request or by a job. */
export type AccountContext = ServiceContext & { principal: { accountId: number } };

/** The context of a job: the cron or a queue consumer. */
export function createJobContext(env: Env, ctx: Pick<ExecutionContext, "waitUntil">, now: number): ServiceContext {
  return {
    env,
    db: env.DB,
    waitUntil: (promise) => ctx.waitUntil(promise),
    now,
    baseUrl: originWithoutRequest(env.BASE_URL),
  };
}

/** The context of a request, whatever its caller is. */
export interface CallContext extends ServiceContext {
  requestId: string;
  /** The country that the request came from; null: unknown. */
  country: string | null;
  /** Whether an object answers the call, because it computes long. */
  isPassed: boolean;
}
