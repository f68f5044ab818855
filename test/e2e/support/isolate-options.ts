import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT } from "./build.ts";

/** One account creates more links in a minute here than one does in production. */
const MANY_LINKS = { ACCOUNT_LINKS_PER_MINUTE: "100000", ANONYMOUS_LINKS_PER_MINUTE: "100000" };

type WorkerOptions = Record<string, unknown>;

export interface IsolateOptions {
  quickQueues?: boolean;
  pages?: boolean;
  bindings: Record<string, unknown>;
}

// Read once, because wrangler prints a line each time.
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));

/**
 * Returns the options of wrangler.toml for one of several isolates that share a database. The isolate `owner` has the
 * Durable Objects and consumes the queues: with `quickQueues` at once, otherwise after the batch timeout of production.
 * `bindings` are added to those of the file. With `pages`, the router of the static files is in front: it answers some
 * hosts itself, and makes redirects slower.
 */
export function isolateOptions(
  name: string,
  owner: string,
  { quickQueues = true, pages = false, bindings }: IsolateOptions,
): WorkerOptions {
  const {
    modulesRules: _,
    queueConsumers,
    durableObjects,
    assets,
    ...options
  } = workerOptions as unknown as Record<string, Record<string, object>>;
  return {
    ...options,
    ...(pages && { assets }),
    name,
    // .dev.vars may say that the isolate runs in `wrangler dev`.
    bindings: { ...options["bindings"], WRANGLER_DEV: "", ...MANY_LINKS, ...bindings },
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
