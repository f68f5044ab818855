import { expect, test } from "vitest";
import { customDomain, parseServiceUrl } from "../../scripts/service-url.ts";

test.each(["https://go.example", "https://GO.example/", "https://go.example:443"])("%s is an address", (text) => {
  expect(parseServiceUrl(text).origin).toBe("https://go.example");
});

test("an international name is taken in the form that certificates have", () => {
  expect(parseServiceUrl("https://größe.example").origin).toBe("https://xn--gre-6ka8i.example");
});

test.each([
  ["", "is not a URL"],
  ["go.example", "is not a URL"],
  ["http://go.example", "must begin with https://"],
  ["https://go.example/s", "nothing but a host"],
  ["https://go.example/?", "nothing but a host"],
  ["https://go.example#", "nothing but a host"],
  ["https://ann@go.example", "nothing but a host"],
  ["https://go.example:8443", "no port"],
  ["https://localhost", "public host name"],
  ["https://127.0.0.1", "public host name"],
  ["https://[::1]", "public host name"],
])('"%s" is none', (text, problem) => {
  expect(() => parseServiceUrl(text)).toThrow(problem);
});

test("a host of one's own is a domain to add; on workers.dev Cloudflare has given the Worker its host", () => {
  expect(customDomain(new URL("https://go.example"), "tern")).toBe("go.example");
  expect(customDomain(new URL("https://tern.someone.workers.dev"), "tern")).toBeNull();
});

test.each(["https://other.someone.workers.dev", "https://someone.workers.dev", "https://a.tern.someone.workers.dev"])(
  "%s is not what Cloudflare gives to the Worker",
  (url) => {
    expect(() => customDomain(new URL(url), "tern")).toThrow("https://tern.<your subdomain>.workers.dev");
  },
);
