import { nameId } from "../platform/lib/uuid.ts";

// Clicks say by which rule they were served, so a rule keeps its id while rules are added, moved and removed.

/** Makes the ids of rules different from other name-based UUIDs. */
const NAMESPACE = "4f7c2b7e-3c5c-4f0e-9d55-0c1a0b6f7d21";

/** What can change while a rule without a given id stays the same rule. */
interface ChangeableSettings {
  percentage?: unknown;
  startsAt?: unknown;
  endsAt?: unknown;
}

/**
 * Gives an id to each rule that has none. It is derived from the rule's URL and conditions (UUID version 5, RFC 9562), so
 * a client that sends the same rules again without ids changes nothing. The ids that are given must differ.
 */
export function assignRuleIds<R extends ChangeableSettings & { id?: string | undefined }>(
  rules: readonly R[],
): (R & { id: string })[] {
  const taken = new Set(rules.flatMap(({ id }) => id ?? []));
  return rules.map((rule) => {
    const { id: given, percentage: _percentage, startsAt: _startsAt, endsAt: _endsAt, ...identity } = rule;
    const id = given ?? freeId(JSON.stringify(identity), taken);
    taken.add(id);
    return Object.assign({ id }, rule, { id });
  });
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  for (let copy = 0; ; copy++) {
    const id = nameId(`${copy} ${name}`, NAMESPACE);
    if (!taken.has(id)) return id;
  }
}
