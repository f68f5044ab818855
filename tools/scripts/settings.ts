import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import type { Target } from "./backup/target.ts";
import { deploymentConfig } from "./deployment-config.ts";
import { CONFIG_FILE } from "./wrangler.ts";

/** What a command reads of the configuration of an installation. */
export interface Settings {
  /** Of the Worker. */
  name: string;
  database: string;
  vars: Partial<Record<string, string>>;
  /** Whether it has the binding `EMAIL`. */
  hasEmailBinding: boolean;
}

interface Table {
  name?: string;
  vars?: Settings["vars"];
  d1_databases?: { binding?: string; database_name?: string }[];
  send_email?: { name?: string }[];
}

/** Reads them without wrangler, which needs more than a second. */
export function readSettings({ remote, environment }: Target): Settings {
  const file = remote ? deploymentConfig() : CONFIG_FILE;
  const config = parse(readFileSync(file, "utf8")) as Table & { env?: Partial<Record<string, Table>> };
  // An environment inherits no bindings and no variables.
  const table = environment === undefined ? config : (config.env?.[environment] ?? {});
  const inherited = [config.name, environment].filter((part) => part !== undefined).join("-");
  const { name = inherited, vars = {}, d1_databases = [], send_email = [] } = table;
  return {
    name,
    database: d1_databases.find(({ binding }) => binding === "DB")?.database_name ?? "",
    vars,
    hasEmailBinding: send_email.some((binding) => binding.name === "EMAIL"),
  };
}
