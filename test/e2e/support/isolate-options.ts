import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT } from "./build.ts";

type WorkerOptions = Record<string, unknown>;

// Read once, because wrangler prints a line each time.
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));

/**
 * Returns the options of wrangler.toml for one of several isolates that share a database. The isolate `owner` has the
 * Durable Objects and consumes the queues: with `quickQueues` at once, otherwise after the batch timeout of production.
 * `bindings` are added to those of the file.
 */
export function isolateOptions(
  name: string,
  owner: string,
  { quickQueues = true, bindings }: { quickQueues?: boolean; bindings: Record<string, unknown> },
): WorkerOptions {
  const {
    modulesRules: _,
    queueConsumers,
    durableObjects,
    ...options
  } = workerOptions as unknown as Record<string, Record<string, object>>;
  return {
    ...options,
    name,
    bindings: { ...options["bindings"], ...bindings },
    d1Databases: { DB: "tern" },
    durableObjects: mapValues(durableObjects, (object) => (name === owner ? object : { ...object, scriptName: owner })),
    queueConsumers:
      name === owner
        ? mapValues(queueConsumers, (consumer) => ({ ...consumer, ...(quickQueues && { maxBatchTimeout: 0 }) }))
        : {},
  };
}

function mapValues(
  record: Record<string, object> | undefined,
  change: (value: object) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, change(value)]));
}
