import type { FilledAccount } from "./account.ts";
import { largestLogo } from "./files.ts";
import { randomText, type Named } from "./largest.ts";

export const PASSWORD = "seventeen quiet lanterns";

/** Values of fields and parameters by their names. Undefined: it is left out, because another one excludes it. */
export const namesOf = ({ busyLink, customDomain, heavyLinks, person }: FilledAccount): Named => ({
  ...Object.fromEntries(["start", "createdAfter"].map((name) => [name, () => "2012-01-01"])),
  ...Object.fromEntries(["end", "createdBefore"].map((name) => [name, () => "2031-12-31"])),
  ...Object.fromEntries(["password", "currentPassword"].map((name) => [name, () => PASSWORD])),
  ...Object.fromEntries(["actor", "createdBy"].map((name) => [name, () => person.userId])),
  ...Object.fromEntries(["ids", "linkIds"].map((name) => [name, (n: number) => heavyLinks[n]])),
  ...Object.fromEntries(["ios", "android"].map((name) => [name, () => `acme://${randomText(1_000)}`])),
  // Lists leave out archived links.
  ...Object.fromEntries(["archived", "disabled"].map((name) => [name, () => false])),
  accountId: () => person.team,
  cursor: () => undefined,
  deleted: () => undefined,
  domain: (n) => (n === 0 ? customDomain : undefined),
  email: () => `${randomText(40)}@example.com`,
  interval: () => undefined,
  linkId: () => busyLink,
  logo: () => largestLogo(),
  // The first page has the most to find.
  page: () => undefined,
  prefix: () => "tag",
  referrers: (n) => `ü${n}.example`,
  role: () => "admin",
  search: () => "www.shop",
  tag: (n) => (n === 0 ? "common" : `tag-${n}`),
  timezone: () => "Australia/Lord_Howe",
  userId: () => person.colleagueId,
});
