import { expect, test } from "vitest";
import {
  checkAnonymousDomain,
  checkAnonymousHost,
  customDomain,
  parseServiceUrl,
} from "../../../tools/scripts/service-url.ts";

test.each(["https://go.example", "https://GO.example/", "https://go.example:443"])(
  "%s is a valid URL of a service",
  (text) => {
    expect(parseServiceUrl(text).origin).toBe("https://go.example");
  },
);

test("an international name is converted to Punycode", () => {
  expect(parseServiceUrl("https://größe.example").origin).toBe("https://xn--gre-6ka8i.example");
});

test.each([
  ["", "is not a URL"],
  ["go.example", "is not a URL"],
  ["http://go.example", "must start with https://"],
  ["https://go.example/s", "only a host"],
  ["https://go.example/?", "only a host"],
  ["https://go.example#", "only a host"],
  ["https://ann@go.example", "only a host"],
  ["https://go.example:8443", "must not have a port"],
  ["https://localhost", "public host name"],
  ["https://127.0.0.1", "public host name"],
  ["https://[::1]", "public host name"],
])('"%s" is refused', (text, problem) => {
  expect(() => parseServiceUrl(text)).toThrow(problem);
});

test("a custom host is a domain to add; on workers.dev Cloudflare provides the host", () => {
  expect(customDomain(new URL("https://go.example"), "tern")).toBe("go.example");
  expect(customDomain(new URL("https://tern.someone.workers.dev"), "tern")).toBeNull();
});

test.each(["https://other.someone.workers.dev", "https://someone.workers.dev", "https://a.tern.someone.workers.dev"])(
  "%s is not the URL of the Worker on workers.dev",
  (url) => {
    expect(() => customDomain(new URL(url), "tern")).toThrow("https://tern.<your subdomain>.workers.dev");
  },
);

test.each(["", "go.example.net", "a-1.xn--gre-6ka8i.example", "anonymous.localhost"])(
  '"%s" may be the host of links without an account',
  (host) => {
    expect(() => checkAnonymousHost(host, "go.example")).not.toThrow();
  },
);

test.each([
  ["https://go.example.net", "is not a host name"],
  ["go.example.net/s", "is not a host name"],
  ["go.example.net:8443", "is not a host name"],
  ["go.example.net.", "is not a host name"],
  ["Go.Example.net", "in lower case"],
  ["localhost", "is not a host name"],
  ["127.0.0.1", "is not a host name"],
  ["größe.example", "is not a host name"],
  [" go.example.net", "is not a host name"],
  [`${"a.".repeat(127)}net`, "is not a host name"],
  ["go.example", "is the service's own host"],
])('"%s" may not', (host, problem) => {
  expect(() => checkAnonymousHost(host, "go.example")).toThrow(problem);
});

test("a deployed host of links without an account is a domain of the Worker", () => {
  const check = (host: string, url: string, workersDev?: boolean) => () =>
    checkAnonymousDomain(host, new URL(url), workersDev);
  expect(check("go.example.net", "https://go.example")).not.toThrow();
  expect(check("other.someone.workers.dev", "https://go.example")).toThrow("a domain of your Cloudflare account");
  expect(check("go.example.net", "https://tern.someone.workers.dev")).toThrow("workers_dev = true");
  expect(check("go.example.net", "https://tern.someone.workers.dev", true)).not.toThrow();
  expect(check("", "https://tern.someone.workers.dev")).not.toThrow();
});
