import type { ClickMessage } from "../capture/message.ts";

/** Whether a ClickLog can store the message. It stores all batches of a call or none, so it must get no invalid one. */
export function isClickMessage(body: unknown): body is ClickMessage {
  return Array.isArray(body) && body.every(isBatch);
}

function isBatch(value: unknown): boolean {
  const { id, log, accountId, links, origins, clicks } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || typeof log !== "string") return false;
  if (accountId !== null && typeof accountId !== "number") return false;
  if (!Array.isArray(links) || !links.every(isText) || !Array.isArray(origins) || !origins.every(isOrigin))
    return false;
  return Array.isArray(clicks) && clicks.every((click) => isClick(click, links.length, origins.length));
}

function isClick(value: unknown, links: number, origins: number): boolean {
  const [at, link, origin, ip, userAgent] = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    Number.isSafeInteger(at) && isIndex(link, links) && isIndex(origin, origins) && isText(ip) && isText(userAgent)
  );
}

function isOrigin(value: unknown): boolean {
  const [trigger, ...texts] = Array.isArray(value) ? (value as unknown[]).toReversed() : [];
  return typeof trigger === "number" && texts.length === 5 && texts.every(isText);
}

function isIndex(value: unknown, length: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < length;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
