import { expect, it } from "vitest";
import { faultsOf } from "../../../src/platform/http/validation.ts";
import { EmailInput } from "../../../src/platform/mail/email-address.ts";

it.each([
  "info@xn--h1alffa9f.xn--p1ai",
  "ann@xn--fsqu00a.xn--0zwm56d",
  "ann@sub.example.xn--90ais",
  "r&d@example.com",
  "a=b@example.com",
  "a#1@example.com",
  "o'neil@x.co",
])("takes %s", (email) => expect(EmailInput.parse(email)).toBe(email));

it.each([
  ["ann@b\u00fccher.example", { code: "email_not_punycode", suggestion: "ann@xn--bcher-kva.example" }],
  ["\u00e4nn@example.com", { code: "email_not_ascii" }],
  ["a..b@example.com", { code: "not_an_email" }],
  ["ann@localhost", { code: "not_an_email" }],
  ["ann@127.0.0.1", { code: "not_an_email" }],
  ["ann@-a.com", { code: "not_an_email" }],
])("refuses %s and says what to write", (email, fault) => {
  const { error } = EmailInput.safeParse(email);
  expect(error && faultsOf(error)).toMatchObject([fault]);
});
