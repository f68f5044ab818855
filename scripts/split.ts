import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parse } from "smol-toml";
import { Failure, WRONG_USAGE } from "./command.ts";
import { ROOT } from "./wrangler.ts";

// A split installation has two Workers: the redirect Worker, which the internet reaches, and the full Worker behind it
// (docs/adr/0043-redirect-worker-in-front.md). Their configurations are made of the installation's own, so that they cannot differ.

/** The option of `npm run deploy` and `npm start`. */
export const SPLIT = "--split";

/** The top level of a configuration, whatever CLOUDFLARE_ENV says. */
export const NO_ENVIRONMENT = "--env=";

/** Where the configurations are written. */
const DIRECTORY = ".wrangler/split";

type Table = Record<string, unknown>;

interface Configuration extends Table {
  name: string;
  main: string;
  vars: Record<string, string>;
  d1_databases: Table[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  queues: { producers: { binding: string; queue: string }[] };
  assets: Table & { directory: string };
  build: Table & { watch_dir: string };
}

interface Split {
  redirect: Table & { name: string };
  full: Table & { name: string };
}

/** The configurations of both Workers. `config` is that of the installation, whose paths are relative to `directory`. */
export function splitConfiguration(config: Configuration, directory: string): Split {
  const { routes, route, ...full } = config;
  const { name, compatibility_date, compatibility_flags, account_id, observability, vars } = config;
  const { logpush, tail_consumers, workers_dev } = config;
  const shared = { compatibility_date, compatibility_flags, account_id, observability, logpush, tail_consumers };
  const clickLog = config.durable_objects.bindings.filter((binding) => binding.name === "CLICK_LOG");
  const clicks = config.queues.producers.filter(({ binding }) => binding === "CLICKS");
  return {
    redirect: {
      ...shared,
      workers_dev,
      routes,
      route,
      name: redirectName(name),
      main: join(ROOT, "src/redirect-worker.ts"),
      preview_urls: false,
      vars: {
        ANONYMOUS_HOST: vars["ANONYMOUS_HOST"],
        BASE_URL: vars["BASE_URL"],
        NOT_RECORDED: vars["NOT_RECORDED"],
      },
      d1_databases: config.d1_databases,
      durable_objects: {
        bindings: clickLog.map(({ name: binding, class_name }) => ({ name: binding, class_name, script_name: name })),
      },
      queues: { producers: clicks },
      services: [{ binding: "FULL_WORKER", service: name }],
    },
    full: {
      // Without a placement, both would run in the same thread of the same machine.
      placement: { mode: "smart" },
      ...full,
      main: resolve(directory, config.main),
      assets: { ...config.assets, directory: resolve(directory, config.assets.directory) },
      // Unlike the other paths, wrangler does not accept an absolute one.
      build: { ...config.build, watch_dir: relative(directoryOf(name), resolve(directory, config.build.watch_dir)) },
      // Nobody reaches it but the redirect Worker.
      workers_dev: false,
      preview_urls: false,
      vars: { ...vars, SPLIT: "on" },
    },
  };
}

function directoryOf(name: string): string {
  return join(ROOT, DIRECTORY, name);
}

export function redirectName(name: string): string {
  return `${name}-redirect`;
}

/** The files with the configurations of both Workers. They have no environments, so wrangler needs {@link NO_ENVIRONMENT}. */
export interface SplitFiles {
  redirect: string;
  full: string;
  /** The name of the full Worker. */
  fullName: string;
}

/**
 * Writes the configurations of both Workers for wrangler. `vars` are set for the full Worker in addition; the redirect Worker has
 * its own copies of those that it uses.
 */
export async function writeSplitFiles(
  configFile: string,
  environment: string | undefined,
  vars: Record<string, string> = {},
): Promise<SplitFiles> {
  const config = readConfiguration(configFile, environment);
  const split = splitConfiguration({ ...config, vars: { ...config.vars, ...vars } }, dirname(configFile));
  const directory = directoryOf(split.full.name);
  await mkdir(directory, { recursive: true });
  const files = {
    redirect: join(directory, "redirect.json"),
    full: join(directory, "full.json"),
    fullName: split.full.name,
  };
  await writeFile(files.redirect, JSON.stringify(split.redirect, null, 2));
  await writeFile(files.full, JSON.stringify(split.full, null, 2));
  return files;
}

/** Copies the file of secrets to the configurations: there `wrangler dev` looks for it. */
export async function copySecrets(secrets: string, { full }: SplitFiles): Promise<void> {
  const name = basename(secrets).startsWith(".env") ? ".env" : ".dev.vars";
  if (existsSync(secrets)) await copyFile(secrets, join(dirname(full), name));
}

/** The top level of the file, or one of its environments: it inherits what it does not set. */
function readConfiguration(file: string, environment: string | undefined): Configuration {
  if (!file.endsWith(".toml")) throw new Failure(`${SPLIT} reads wrangler.toml, not ${basename(file)}.`, WRONG_USAGE);
  const { env = {}, ...top } = parse(readFileSync(file, "utf8")) as unknown as Configuration & {
    env?: Record<string, Partial<Configuration>>;
  };
  if (environment === undefined) return top;
  return { ...top, name: `${top.name}-${environment}`, ...env[environment] };
}
