import { List, type Page } from "./list.ts";
import type { Call, RequestOptions, Transport } from "./transport.ts";
import type { LiveSocket } from "./types.ts";

type Options = RequestOptions | undefined;

/** The operations of one kind of resource. */
export abstract class Namespace {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The JSON of a response. */
  protected json<T>(method: string, path: string, options: Options, call?: Call): Promise<T> {
    return this.#transport.json<T>(method, path, { ...options, ...call });
  }

  /** One member of the JSON of a response. */
  protected async one<T>(name: string, method: string, path: string, options: Options, call?: Call): Promise<T> {
    return (await this.json<Record<string, T>>(method, path, options, call))[name] as T;
  }

  /** A response that is a file. */
  protected file(method: string, path: string, options: Options, call?: Call): Promise<Response> {
    return this.#transport.response(method, path, { ...options, ...call });
  }

  /** A deletion, whose response tells only that it succeeded. */
  protected async remove(path: string, options: Options, query?: object): Promise<void> {
    await this.#transport.remove(path, { ...options, query });
  }

  protected socket(path: string, query?: object): LiveSocket {
    return this.#transport.socket(path, query);
  }

  protected pages<Name extends string, Item, More = unknown>(
    name: Name,
    path: string,
    options: Options,
    query: object = {},
  ): List<Name, Item, More> {
    return new List(name, (cursor) =>
      this.json<Page<Name, Item, More>>("GET", path, options, {
        // The cursor replaces the number of the first page.
        query: cursor === undefined ? query : { ...query, page: undefined, cursor },
      }),
    );
  }
}

/** A body that is sent once: attempts of one call have the same key. */
export function once(body: unknown, options: Options): Call {
  return { body, idempotencyKey: options?.idempotencyKey ?? crypto.randomUUID() };
}

/** A path whose values are escaped. Throws for a value that would be another path. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((before, part, n) => {
    const value = values[n - 1];
    if (!value || /^\.\.?$/.test(value)) throw new TypeError(`${JSON.stringify(value)} is no id.`);
    return before + encodeURIComponent(value) + part;
  });
}
