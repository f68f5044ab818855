/** Names of the same thing in the APIs of other services, folded. The first that is known is suggested. */
const NAMES_ELSEWHERE: Record<string, readonly string[]> = {
  after: ["cursor", "createdAfter"],
  alias: ["slug"],
  backhalf: ["slug"],
  before: ["createdBefore"],
  callbackurl: ["url"],
  clicklimit: ["maxClicks"],
  clickslimit: ["maxClicks"],
  code: ["slug"],
  count: ["limit"],
  customalias: ["slug"],
  customslug: ["slug"],
  destination: ["url"],
  destinationurl: ["url"],
  endpoint: ["url"],
  eventtypes: ["events"],
  enabledevents: ["events"],
  expiration: ["expiresAt"],
  expirationdate: ["expiresAt"],
  expires: ["expiresAt"],
  expirydate: ["expiresAt"],
  expiry: ["expiresAt"],
  fallbackurl: ["expiredUrl", "notFoundUrl"],
  forwardparameters: ["passParameters"],
  forwardquery: ["passParameters"],
  host: ["domain"],
  hostname: ["domain"],
  key: ["slug"],
  keyword: ["slug", "search"],
  labels: ["tags"],
  link: ["url"],
  longurl: ["url"],
  maxvisits: ["maxClicks"],
  name: ["title", "domain"],
  originalurl: ["url"],
  pagesize: ["limit"],
  path: ["slug"],
  perpage: ["limit"],
  q: ["search"],
  query: ["search"],
  redirecttype: ["redirectStatus"],
  scopes: ["permissions"],
  shortcode: ["slug"],
  slashtag: ["slug"],
  startdate: ["startsAt"],
  startingafter: ["cursor"],
  statuscode: ["redirectStatus"],
  tagnames: ["tags", "tag"],
  target: ["url"],
  targeturl: ["url"],
  topics: ["events"],
  validsince: ["startsAt"],
  validuntil: ["expiresAt"],
};

/** Longer names are compared with no other: the comparison of each character with each costs time. */
const MAX_COMPARED_CHARS = 40;

/**
 * The name that somebody probably meant by an unknown one, or null: the same in another spelling (`expires_at`), that of
 * another service (`long_url`), or one with a typing error (`titel`).
 */
export function suggestName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > MAX_COMPARED_CHARS) return null;
  const given = fold(unknown);
  const same = known.find((name) => fold(name) === given);
  if (same !== undefined) return same;
  const elsewhere = Object.hasOwn(NAMES_ELSEWHERE, given) ? (NAMES_ELSEWHERE[given] ?? []) : [];
  return elsewhere.find((name) => known.includes(name)) ?? findSimilar(given, known);
}

/** Without what differs between spellings: case, underscores, hyphens and the brackets of a list. */
function fold(name: string): string {
  return name.replaceAll(/[_\-[\]]/g, "").toLowerCase();
}

function findSimilar(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let distance = allowedErrors(given) + 1;
  for (const name of known) {
    const candidate = fold(name);
    if (Math.abs(candidate.length - given.length) >= distance) continue;
    const found = countErrors(given, candidate);
    if (found < distance) [best, distance] = [name, found];
  }
  return best;
}

/** Typing errors in a name that is still recognised. Short names are too much alike. */
function allowedErrors({ length }: string): number {
  if (length < 4) return 0;
  return length < 7 ? 1 : 2;
}

/** Characters that are wrong, missing, added or swapped with their neighbour (optimal string alignment distance). */
function countErrors(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
