import type { Account } from "./account.ts";
import { largestLogo } from "./files.ts";
import { randomText, type Named } from "./largest.ts";

export const PASSWORD = "seventeen quiet lanterns";
export const RECOVERY_CODE = "x".repeat(24);

const named = (names: string, value: Named[string]): Named =>
  Object.fromEntries(names.split(" ").map((name) => [name, value]));

/** Values of fields and parameters by their names. Undefined: it is left out, because another one excludes it. */
export const namesOf = ({ busyLink, customDomain, heavyLinks, person }: Account): Named => ({
  ...named("start createdAfter", () => "2012-01-01"),
  ...named("end createdBefore", () => "2031-12-31"),
  ...named("password currentPassword", () => PASSWORD),
  ...named("actor createdBy", () => person.userId),
  ...named("ids linkIds", (n) => heavyLinks[n]),
  ...named("ios android", () => `acme://${randomText(1_000)}`),
  // Lists leave out archived links.
  ...named("archived disabled", () => false),
  // The first page has the most to find.
  ...named("cursor deleted interval page", () => undefined),
  accountId: () => person.team,
  domain: (n) => (n === 0 ? customDomain : undefined),
  email: () => `${randomText(40)}@example.com`,
  linkId: () => busyLink,
  logo: () => largestLogo(),
  prefix: () => "tag",
  referrers: (n) => `ü${n}.example`,
  role: () => "admin",
  search: () => "www.shop",
  tag: (n) => (n === 0 ? "common" : `tag-${n}`),
  timezone: () => "Australia/Lord_Howe",
  userId: () => person.colleagueId,
});
