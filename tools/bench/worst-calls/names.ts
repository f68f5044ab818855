import { MAX_QR_LOGO_BYTES } from "../../../src/qr/limits.ts";
import { fakeImage } from "../../../test/support/fake-image.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { NOW } from "../instrumented/year.ts";
import type { Account } from "./account.ts";
import { randomText, type Named } from "./largest.ts";

export const PASSWORD = "seventeen quiet lanterns";
export const RECOVERY_CODE = "x".repeat(24);

const LOGO = fakeImage("png", MAX_QR_LOGO_BYTES);

const named = (names: string, value: Named[string]): Named =>
  Object.fromEntries(names.split(" ").map((name) => [name, value]));

/** Values of fields and parameters by their names. Undefined: it is left out, because another one excludes it. */
export const namesOf = ({ busyLink, customDomain, heavyLinks, person }: Account): Named => ({
  ...named("start since createdAfter", () => "2012-01-01"),
  ...named("end createdBefore", () => "2031-12-31"),
  ...named("password currentPassword", () => PASSWORD),
  ...named("actor createdBy", () => person.userId),
  ...named("ios android", () => `acme://${randomText(1_000)}`),
  // The first page has the most to find.
  ...named("cursor deleted interval page", () => undefined),
  accountId: () => person.team,
  // A list with archived links is longer, and a link that is not archived is in all lists.
  archived: (_, { type }) => (type === "boolean" ? false : "include"),
  disabled: () => false,
  domain: (n) => (n === 0 ? customDomain : undefined),
  email: () => `${randomText(40)}@example.com`,
  ids: (n) => heavyLinks[n] ?? newId(NOW),
  linkId: () => busyLink,
  linkIds: (n) => heavyLinks[n],
  logo: () => LOGO,
  prefix: () => "tag",
  referrers: (n) => `ü${n}.example`,
  role: () => "admin",
  search: () => "www.shop",
  tag: (n) => (n === 0 ? "common" : `tag-${n}`),
  timezone: () => "Australia/Lord_Howe",
  userId: () => person.colleagueId,
});
