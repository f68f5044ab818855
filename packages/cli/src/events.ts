import type { EventName } from "@tern/sdk";
import { UsageError } from "./errors.ts";

/** The events that a listener can receive: all but test pings, which are sent to one webhook. */
export const LISTENED_EVENTS = [
  "link.create",
  "link.update",
  "link.delete",
  "link.expired",
  "link.click",
  "domain.verified",
  "domain.lost",
] as const satisfies EventName[];

export type ListenedEvent = (typeof LISTENED_EVENTS)[number];

/** Returns the events of an option such as `link.create,link.click`. */
export function parseEvents(texts: string[] | undefined): ListenedEvent[] {
  if (texts === undefined) return [...LISTENED_EVENTS];
  return texts
    .flatMap((text) => text.split(","))
    .map((text) => {
      const event = LISTENED_EVENTS.find((each) => each === text.trim());
      if (event === undefined) throw new UsageError(`${text} is no event. There are: ${LISTENED_EVENTS.join(", ")}`);
      return event;
    });
}
