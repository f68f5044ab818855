import type { ServiceContext } from "./context.ts";

/** What the cron does each minute. */
export interface CronTask {
  /** In the log. */
  name: string;
  /** Returns the number of processed items. */
  run(context: ServiceContext): Promise<number>;
  /** The task is run again, up to `MAX_CRON_BATCHES` times, while it processes this many items. Absent: it runs once. */
  batchSize?: number;
}
