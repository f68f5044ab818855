import { readFileSync } from "node:fs";
import { toMigrated } from "../../../../tools/scripts/local-database.ts";
import { optionValue } from "../../../../tools/scripts/options.ts";
import type { Wrangler } from "../../../../tools/scripts/wrangler.ts";

/** The wrangler commands of a deployment, for an account in this process. The slow tests run the real wrangler. */
export class FakeWrangler {
  readonly databases = new Set<string>();
  readonly queues = new Set<string>();
  readonly secrets = new Map<string, string>();
  /** The content of the database. */
  readonly data: D1Database;
  /** The arguments of the last deployment; null: the Worker was never deployed. */
  deployed: readonly string[] | null = null;
  isLoggedIn = true;
  /** The kinds of commands for which the token lacks the permission, such as `d1`. */
  readonly denied = new Set<string>();
  /** Whether a deployment fails after the Worker and its secrets were stored, such as at its domain. */
  failsAfterUpload = false;
  /** All SQL that was sent as a command. */
  readonly sql: string[] = [];
  #changes: string[] = [];

  constructor(data: D1Database) {
    this.data = data;
  }

  /** Returns the commands since the last call that changed something, without their options. */
  takeChanges(): string[] {
    return this.#changes.splice(0);
  }

  readonly run: Wrangler = async (args) => {
    try {
      return { exitCode: 0, output: await this.#execute(args), errors: "" };
    } catch (error) {
      return { exitCode: 1, output: "", errors: (error as Error).message };
    }
  };

  async #execute(args: readonly string[]): Promise<string> {
    const words = args.filter((arg) => !arg.startsWith("-"));
    const name = words.at(-1) ?? "";
    if (this.denied.has(args[0] ?? "")) throw new Error("Authentication error [code: 10000]");
    if (args[0] === "deploy") return this.#deploy(args);
    if (!this.isLoggedIn) throw new Error("You must be logged in to use wrangler.");
    const file = optionValue(args, "--file");
    const command = optionValue(args, "--command");
    const changes = words[1] === "create" || file !== undefined;
    if (changes) this.#changes.push(words.join(" "));
    switch (words.slice(0, 2).join(" ")) {
      case "d1 list":
        return JSON.stringify([...this.databases].map((name) => ({ name })));
      case "d1 create":
        this.databases.add(name);
        return "Add this to your configuration:";
      case "d1 execute":
        if (this.databases.size === 0) throw new Error("Couldn't find a D1 DB");
        if (file !== undefined) await toMigrated(this.data, "").run(file);
        return command === undefined ? "" : this.#query(command);
      case "queues info":
        if (!this.queues.has(name)) throw new Error(`Queue "${name}" does not exist.`);
        return "";
      case "queues create":
        this.queues.add(name);
        return "";
      case "secret list":
        if (this.deployed === null) throw new Error("This Worker does not exist on your account. [code: 10007]");
        // A notice may precede the list.
        return `Cloudflare agent skills\n${JSON.stringify([...this.secrets.keys()].map((name) => ({ name })))}`;
      default:
        throw new Error(`Unknown command: ${args.join(" ")}`);
    }
  }

  async #query(command: string): Promise<string> {
    this.sql.push(command);
    const all = await this.data.batch(command.split(";\n").map((sql) => this.data.prepare(sql)));
    return JSON.stringify(all.map(({ results }) => ({ results })));
  }

  #deploy(args: readonly string[]): string {
    if (args.includes("--dry-run")) return "";
    this.#changes.push("deploy");
    this.deployed = args;
    const file = optionValue(args, "--secrets-file");
    const secrets = file === undefined ? {} : (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
    for (const [name, value] of Object.entries(secrets)) this.secrets.set(name, value);
    if (this.failsAfterUpload) throw new Error("Authentication error [code: 10000]");
    return "";
  }
}
