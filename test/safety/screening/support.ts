import { env } from "cloudflare:workers";
import { afterEach, beforeEach } from "vitest";
import { newId } from "#src/platform/lib/uuid.ts";

/** Turns screening on for each test of the file. */
export function useScreening(): void {
  beforeEach(() => setBinding("SCREENING", "on"));
  afterEach(() => setBinding("SCREENING", ""));
}

type Binding = "SCREENING" | "WEB_RISK_KEY";

export function setBinding(name: Binding, value: string): void {
  Object.defineProperty(env, name, { value, enumerable: true, configurable: true, writable: true });
}

export const screener = () => env.SCREENER.getByName("screener");

/** Adds entries to the operators' list, by what is compared (src/safety/screening/list-entry.ts). */
export async function addEntries(...entries: [entry: string, verdict?: "allow" | "block"][]): Promise<void> {
  for (const [entry, verdict = "block"] of entries) {
    const reason = verdict === "block" ? "phishing" : null;
    await env.DB.prepare("INSERT INTO screening_rules VALUES (?1, 'entry', ?2, ?2, ?3, ?4, NULL, 0, 'operator')")
      .bind(newId(Date.now()), entry, verdict, reason)
      .run();
  }
  await screener().reload();
}

/** Adds a list file, which is not read yet. Returns its id. */
export async function addList(url: string, format: "hosts" | "urls"): Promise<string> {
  const id = newId(Date.now());
  await env.DB.prepare("INSERT INTO screening_rules VALUES (?1, ?3, ?2, ?2, 'block', 'malware', NULL, 0, 'operator')")
    .bind(id, url, format)
    .run();
  return id;
}
