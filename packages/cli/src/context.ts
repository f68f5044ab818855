import type { Tern } from "@tern/sdk";
import type { Command } from "commander";
import { createClient } from "./client.ts";
import { chooseConnection, requireAccount, type Connection } from "./config/connection.ts";
import { print } from "./output/terminal.ts";

/** The options of every command. */
export interface GlobalOptions {
  json?: boolean;
  as?: string;
}

/** What a command works with: its options, the service, and the way to print its result. */
export class Context<Options extends object = object> {
  readonly options: Options & GlobalOptions;
  #client: Tern | undefined;

  constructor(options: Options & GlobalOptions) {
    this.options = options;
  }

  get isJson(): boolean {
    return this.options.json === true;
  }

  /** Throws if there is neither a key nor a login. */
  get connection(): Connection {
    return requireAccount(chooseConnection(this.options.as));
  }

  /** The service, as whom the connection says. */
  get client(): Tern {
    this.#client ??= createClient(this.connection);
    return this.#client;
  }

  /** Prints the result: as JSON if that was asked for, else as `printText` does. */
  show(result: unknown, printText: () => void): void {
    if (this.isJson) this.showJson(result);
    else printText();
  }

  showJson(result: unknown): void {
    print(JSON.stringify(result, null, 2));
  }
}

/** Makes the action of a command. `work` gets the arguments of the command in their order. */
// Inference needs the parameter: each command has other arguments.
// oxlint-disable-next-line no-unnecessary-type-parameters
export function action<Options extends object, Arguments extends unknown[]>(
  work: (context: Context<Options>, ...args: Arguments) => Promise<void> | void,
): (...values: unknown[]) => Promise<void> {
  return async (...values) => {
    // commander passes the arguments, the command's own options and the command.
    const command = values.at(-1) as Command;
    const context = new Context(command.optsWithGlobals<Options & GlobalOptions>());
    await work(context, ...(values.slice(0, -2) as Arguments));
  };
}
