import type { Settings } from "./settings.ts";

/** What the popup shows of a link. */
export interface ShortLink {
  id: string;
  shortUrl: string;
}

/** How long the service may take, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Shortens the URL (`POST /api/shorten`). An empty slug is chosen by the service. Throws with a sentence for the person. */
export async function shorten(settings: Settings, url: string, slug: string): Promise<ShortLink> {
  const body = JSON.stringify(slug === "" ? { url } : { url, slug });
  const answer = await call<{ shortUrl: string; link: { id: string } }>(settings, "/api/shorten", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return { id: answer.link.id, shortUrl: answer.shortUrl };
}

/** Returns the newest link of the account to this URL. Null: there is none, or the key may not read links. */
export async function findLink(settings: Settings, url: string): Promise<ShortLink | null> {
  if (settings.key === "") return null;
  const path = `/api/links?${new URLSearchParams({ url, limit: "1", status: "active" })}`;
  const { links } = await call<{ links: ShortLink[] }>(settings, path, {}).catch(() => ({ links: [] }));
  return links[0] ?? null;
}

async function call<Answer>({ service, key }: Settings, path: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (key !== "") headers.set("Authorization", `Bearer ${key}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(service + path, { ...init, headers, signal, credentials: "omit" }).catch(() => null);
  if (response === null)
    throw new Error(`${service} cannot be reached. Check the connection and the URL in the settings.`);
  const answer = (await response.json().catch(() => null)) as (Answer & { error?: unknown }) | null;
  if (response.ok && answer !== null) return answer;
  if (response.status === 401) throw new Error("The service does not accept the API key. Replace it in the settings.");
  if (response.status === 429) throw new Error(waitMessage(response.headers.get("Retry-After")));
  if (typeof answer?.error === "string") throw new Error(answer.error);
  throw new Error(`${service} answered with ${response.status}. Check the URL in the settings.`);
}

const waitMessage = (seconds: string | null): string =>
  seconds === null
    ? "That were too many links. Wait a moment."
    : `That were too many links. Try again in ${seconds} seconds.`;
