import { parseEnv } from "node:util";
import { isLoopbackName } from "../../src/platform/lib/hosts.ts";
import { findMailWay } from "../../src/platform/mail/ways.ts";
import type { Target } from "./backup/target.ts";
import { secretNames } from "./cloud-resources.ts";
import { queryDatabase } from "./database-query.ts";
import { installationOptions } from "./deployment-config.ts";
import { secretsFile } from "./encryption-key.ts";
import { readOrEmpty } from "./private-file.ts";
import { readSettings, type Settings } from "./settings.ts";
import { ROOT, WranglerFailure, type Wrangler } from "./wrangler.ts";

/** What a link of an installation begins with. */
export async function readOrigin(target: Target, run: Wrangler): Promise<string> {
  const { BASE_URL: baseUrl = "" } = readSettings(target).vars;
  if (baseUrl !== "") return new URL(baseUrl).origin;
  const [row] = await queryDatabase<{ origin: string }>(target, run, "SELECT origin FROM installation");
  return row === undefined || row.origin === "" ? "<URL of the service>" : row.origin;
}

/** Why the installation sends no mails, as a sentence; null: it sends them. */
export async function findMailProblem(
  target: Target,
  run: Wrangler,
  { vars, hasEmailBinding }: Pick<Settings, "vars" | "hasEmailBinding"> = readSettings(target),
): Promise<string | null> {
  const secrets = target.remote ? {} : parseEnv(await readOrEmpty(secretsFile(ROOT, target.environment)));
  const { BASE_URL: baseUrl = "", MAIL_FROM: from = "", MAIL_API_TOKEN = "" } = { ...vars, ...secrets };
  // The token counts only with a sender and without a binding, so it is not asked for in vain.
  const asks = target.remote && from !== "" && !hasEmailBinding;
  const names = asks ? await readSecretNames(target, run) : new Set(MAIL_API_TOKEN === "" ? [] : ["MAIL_API_TOKEN"]);
  if (names === null) return "The secrets of the service could not be listed, so it is unknown whether it sends mails.";
  const way = findMailWay({
    hasBinding: hasEmailBinding,
    hasToken: names.has("MAIL_API_TOKEN"),
    from,
    isLocal: baseUrl === "" ? !target.remote : isLoopbackName(new URL(baseUrl).hostname),
  });
  return typeof way === "string" ? null : `The service sends no mails, because ${way.missing} is not set.`;
}

/** Null: the token may not list them. */
async function readSecretNames({ environment }: Target, run: Wrangler): Promise<Set<string> | null> {
  try {
    return await secretNames(installationOptions(environment), run);
  } catch (error) {
    if (error instanceof WranglerFailure) return null;
    throw error;
  }
}
