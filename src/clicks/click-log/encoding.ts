import type { EnrichedClick } from "../types.ts";
import { joinProfile } from "../profile.ts";

/**
 * Clicks of a link and a day that came at once, as they are stored: JSON. What several have in common is there once.
 * The clicks themselves are one list of numbers, {@link NUMBERS_PER_CLICK} for each: milliseconds since the day began,
 * which of the batches and the place in it, the salted hash of the visitor (0: not known), 1 for the visitor's first click
 * of the day on the link, which of the origins and of the clients.
 */
export type Line = [batchIds: string[], origins: string[], clients: string[], clicks: number[]];

const NUMBERS_PER_CLICK = 7;

/** Calls `take` for each click of a line. */
export function eachOfLine(
  [batchIds, origins, clients, numbers]: Line,
  take: (at: number, batchId: string, index: number, visitor: number, unique: number, profile: string) => void,
): void {
  const profiles = new Map<number, string>();
  const number = (place: number) => numbers[place] as number;
  for (let first = 0; first < numbers.length; first += NUMBERS_PER_CLICK) {
    const origin = number(first + 5);
    const client = number(first + 6);
    // The same text for equal profiles: comparing others would take longer than all of the rest.
    const pair = origin * clients.length + client;
    let profile = profiles.get(pair);
    if (profile === undefined) {
      profile = joinProfile(origins[origin] ?? "", clients[client] ?? "");
      profiles.set(pair, profile);
    }
    take(
      number(first),
      batchIds[number(first + 1)] ?? "",
      number(first + 2),
      number(first + 3),
      number(first + 4),
      profile,
    );
  }
}

/** A line that is being written. */
export class LineDraft {
  readonly #batchIds: string[] = [];
  readonly #origins = new Map<string, number>();
  readonly #clients = new Map<string, number>();
  readonly #clicks: number[] = [];
  #chars = 0;

  /** About what it takes as JSON. */
  get chars(): number {
    return this.#chars;
  }

  /** The clicks that are added next came in this batch. */
  begin(batchId: string): void {
    this.#batchIds.push(batchId);
    this.#chars += batchId.length + 3;
  }

  add(click: EnrichedClick, atInDay: number, visitor: number, isFirst: boolean): void {
    const origin = this.#placeOf(click.origin, this.#origins);
    const client = this.#placeOf(click.client.part, this.#clients);
    this.#clicks.push(atInDay, this.#batchIds.length - 1, click.index, visitor, isFirst ? 1 : 0, origin, client);
    this.#chars += CHARS_PER_CLICK;
  }

  toJson(): string {
    const line: Line = [this.#batchIds, [...this.#origins.keys()], [...this.#clients.keys()], this.#clicks];
    return JSON.stringify(line);
  }

  #placeOf(text: string, places: Map<string, number>): number {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, places.size);
    this.#chars += text.length + 3;
    return places.size - 1;
  }
}

/** The numbers of a click with their commas, of which the visitor's has sixteen digits. */
const CHARS_PER_CLICK = 42;
