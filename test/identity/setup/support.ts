import { env } from "cloudflare:workers";
import { hashSetupCode } from "../../../src/identity/setup/code.ts";
import { forgetInstallation } from "../../../src/platform/installation/claimed.ts";
import { DATABASE_TIME } from "../../../src/platform/installation/store.ts";
import { BASE_URL } from "../../support/api.ts";
import { Browser, PASSWORD } from "../people/support.ts";

export const CODE = "8Q2NV-T0K4D-M9XBC-1RZWH-6YPG3-F";
export const PERSON = { email: "ann@example.com", name: "Ann Lee", password: PASSWORD };

/** An installation without an owner. `code` null: only the secret counts. `age` is that of the code by the database's clock, ms. */
export async function unclaim(code: string | null = CODE, age = 0): Promise<void> {
  await env.DB.prepare(
    `UPDATE installation SET claimed_at = NULL, code_hash = ?1, code_made_at = ${DATABASE_TIME} - ?2`,
  )
    .bind(code === null ? null : await hashSetupCode(code), age)
    .run();
  forgetInstallation();
}

export const claimWith = (
  code: string,
  more: object = {},
  bindings: Record<string, unknown> = {},
  browser = new Browser(),
) => browser.post("/api/claim", { ...PERSON, code, ...more }, { bindings });

export const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

export const readService = async (bindings: Record<string, unknown> = {}, origin = BASE_URL) =>
  (await new Browser(origin).get("/api/service", { bindings })).body["service"] as Record<string, unknown>;
