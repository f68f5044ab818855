import type { CronTask } from "../platform/cron-task.ts";
import { LINKS_PER_RESCREENING } from "./screening/limits.ts";
import { tellOfScreening } from "./screening/mails.ts";
import { rescreenLinks } from "./screening/rescreen.ts";
import { findScreener, isScreeningOn } from "./screening/screen-urls.ts";
import { sweepHosts } from "./takedowns/sweep.ts";
import { tellOfDueTakedowns } from "./takedowns/tell-owners.ts";
import { checkNextTrust } from "./trust/check-trust.ts";

export const TASKS: readonly CronTask[] = [{ name: "check_trust", run: checkNextTrust, batchSize: 1 }];

/** Those that take long, or wait for providers. */
export const SLOW_TASKS: readonly CronTask[] = [
  { name: "sweep_hosts", run: sweepHosts, batchSize: 1 },
  { name: "tell_of_takedowns", run: tellOfDueTakedowns },
  {
    name: "rescreen_links",
    run: async (context) => (isScreeningOn(context.env) ? rescreenLinks(context) : 0),
    batchSize: LINKS_PER_RESCREENING,
  },
  {
    name: "refresh_lists",
    run: async ({ env, now }) => (isScreeningOn(env) ? findScreener(env).refresh(now) : 0),
    batchSize: 1,
  },
  { name: "tell_of_screening", run: tellOfScreening },
];
