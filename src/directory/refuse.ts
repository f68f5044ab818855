import { hasSeveralDatabases } from "../database/databases.ts";
import type { ServiceContext } from "../context.ts";

/**
 * Throws if the work is for an account in another database than the directory. What it stores there is not reserved in the directory
 * yet, so two databases could have one slug or one domain (ADR 0042).
 */
export function requireDirectory({ env, db }: Pick<ServiceContext, "env" | "db">): void {
  if (hasSeveralDatabases(env) && db !== env.DB)
    throw new Error("links and verified domains of accounts in another database than DB are not built");
}
