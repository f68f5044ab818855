import { env } from "cloudflare:workers";

type Send = (this: unknown, ...input: unknown[]) => Promise<unknown>;

/** Gets the SQL of one round trip to the database, a list if it is a batch, and does it with `send`. */
export type D1Interceptor = (sql: unknown, send: () => Promise<unknown>) => Promise<unknown>;

/** The last one is the outermost. */
const interceptors = new Set<D1Interceptor>();
/** Puts the client's own method back. */
let restore = () => {};

/**
 * Passes every round trip to the database through `interceptor` until `run` has ended. Several can run at the same time
 * and end in any order. It replaces the private method of the D1 client that all calls use, because the public `.first()`
 * returns no `meta`.
 */
export async function interceptD1(interceptor: D1Interceptor, run: () => Promise<unknown>): Promise<void> {
  const client = clientPrototype();
  if (interceptors.size === 0) {
    const original = client._send;
    client._send = function send(...input) {
      const [, sql] = input;
      let next = () => original.apply(this, input);
      for (const interceptor of interceptors) next = interceptor.bind(null, sql, next);
      return next();
    };
    restore = () => void (client._send = original);
  }
  interceptors.add(interceptor);
  try {
    await run();
  } finally {
    interceptors.delete(interceptor);
    if (interceptors.size === 0) restore();
  }
}

function clientPrototype(): { _send: Send } {
  let object: object = env.DB.withSession("first-primary");
  while (!Object.hasOwn(object, "_send")) object = Object.getPrototypeOf(object) as object;
  return object as { _send: Send };
}

/** Runs while round trips to the database wait whose statements are held. */
export async function whileHeld<T>(
  isHeld: (statements: readonly string[]) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  const gate = Promise.withResolvers<void>();
  const result = Promise.withResolvers<T>();
  await interceptD1(
    async (sql, send) => {
      if (isHeld(statementsOf(sql))) await gate.promise;
      return send();
    },
    async () => {
      await run().then(result.resolve, result.reject);
      gate.resolve();
    },
  );
  return result.promise;
}

/** The statements of a round trip. */
export function statementsOf(sql: unknown): string[] {
  return [sql].flat().map(String);
}
