import { expect, it } from "vitest";
import { EmailInput } from "../../src/people/email-address.ts";

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
  ["ann@b\u00fccher.example", "must have its international domain in Punycode: ann@xn--bcher-kva.example"],
  ["\u00e4nn@example.com", "must be in ASCII; an international domain is written in Punycode (xn--\u2026)"],
  ["a..b@example.com", "must be an e-mail address, such as ann@example.com"],
  ["ann@localhost", "must be an e-mail address, such as ann@example.com"],
  ["ann@127.0.0.1", "must be an e-mail address, such as ann@example.com"],
  ["ann@-a.com", "must be an e-mail address, such as ann@example.com"],
])("refuses %s and says what to write", (email, message) => {
  expect(EmailInput.safeParse(email).error?.issues).toMatchObject([{ message }]);
});
