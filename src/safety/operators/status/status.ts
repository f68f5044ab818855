import type { ServiceContext } from "../../../platform/context.ts";
import { readBacklogs } from "../../../access/health/backlog.ts";
import { readHealth } from "../../../access/health/store.ts";
import { describeError, log } from "../../../platform/lib/log.ts";
import { withTimeout } from "../../../platform/lib/timeout.ts";
import { signUpPolicyOf } from "../../../identity/people/sign-up/may-sign-up.ts";
import { anonymousLimitOf } from "../../../platform/rate-limit/creation-limits.ts";
import { hasProvider } from "../../screening/providers/providers-of.ts";
import { isScreeningOn } from "../../screening/screen-urls.ts";
import { STATUS_TIMEOUT_MS } from "../../limits.ts";
import { listFiles } from "../../screening/rules.ts";
import type { Status } from "./contract.ts";
import { countWaiting } from "../../store/decided-list.ts";

/** The state of the service. A part that does not respond is null. Throws if the database fails. */
export async function readStatus(context: ServiceContext): Promise<Status> {
  const { env, db } = context;
  const isOn = isScreeningOn(env);
  const [found, waiting, backlogs, lists] = await Promise.all([
    readHealth(db),
    countWaiting(db),
    orNull("queues", readBacklogs(context)),
    isOn ? orNull("screener", listFiles(context)) : [],
  ]);
  return {
    health: found && {
      status: found.state.status,
      checkedAt: found.checkedAt,
      problems: found.state.problems.map(({ problem }) => problem),
    },
    queues:
      backlogs &&
      backlogs.map(({ queue, messages, ageMs, dead }) => ({
        queue,
        messages,
        ageMs: Math.max(ageMs, 0),
        deadMessages: dead.messages,
      })),
    waiting,
    screening: { isOn, hasProvider: isOn && hasProvider(env), lists },
    signUp: signUpPolicyOf(context),
    anonymousLinksPerMinute: anonymousLimitOf(env),
  };
}

async function orNull<T>(part: string, reading: Promise<T>): Promise<T | null> {
  try {
    return await withTimeout(reading, STATUS_TIMEOUT_MS);
  } catch (error) {
    log("warn", "status_incomplete", { part, ...describeError(error) });
    return null;
  }
}
