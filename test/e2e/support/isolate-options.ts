import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT } from "./build.ts";

type WorkerOptions = Record<string, unknown>;

// Once: wrangler says each time where it has the secrets from.
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));

/**
 * What wrangler.toml says, for one of several isolates of the Worker that share a database. The Durable
 * Objects run in `owner`, and it takes what comes out of the queues; with `quickQueues` as soon as
 * something is in them, else after the time that production waits for more. `bindings` come to those of the file.
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
