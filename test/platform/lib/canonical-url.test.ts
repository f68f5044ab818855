import { describe, expect, it } from "vitest";
import { hostOf as hostOfLink } from "#src/platform/lib/host-of.ts";
import { canonicalize, formatUrl, hostSuffixes } from "#src/platform/lib/canonical-url.ts";
import { MAX_DOMAINS_ABOVE } from "#src/limits.ts";
import { siphashBytes, toSipKey } from "#src/safety/screening/siphash.ts";

/** The examples of the documentation of Safe Browsing. */
const PUBLISHED: [string, string][] = [
  ["http://host/%25%32%35", "http://host/%25"],
  ["http://host/%25%32%35%25%32%35", "http://host/%25%25"],
  ["http://host/%2525252525252525", "http://host/%25"],
  ["http://host/asdf%25%32%35asd", "http://host/asdf%25asd"],
  ["http://host/%%%25%32%35asd%%", "http://host/%25%25%25asd%25%25"],
  ["http://www.google.com/", "http://www.google.com/"],
  [
    "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
    "http://168.188.99.26/.secure/www.ebay.com/",
  ],
  [
    "http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/",
    "http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/",
  ],
  [
    "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
    "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+",
  ],
  ["http://3279880203/blah", "http://195.127.0.11/blah"],
  ["http://www.google.com/blah/..", "http://www.google.com/"],
  ["www.google.com/", "http://www.google.com/"],
  ["www.google.com", "http://www.google.com/"],
  ["http://www.evil.com/blah#frag", "http://www.evil.com/blah"],
  ["http://www.GOOgle.com/", "http://www.google.com/"],
  ["http://www.google.com.../", "http://www.google.com/"],
  ["http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"],
  ["http://www.google.com/q?", "http://www.google.com/q?"],
  ["http://www.google.com/q?r?", "http://www.google.com/q?r?"],
  ["http://www.google.com/q?r?s", "http://www.google.com/q?r?s"],
  ["http://evil.com/foo#bar#baz", "http://evil.com/foo"],
  ["http://evil.com/foo;", "http://evil.com/foo;"],
  ["http://evil.com/foo?bar;", "http://evil.com/foo?bar;"],
  ["http://\u0001%80.com/", "http://%01%80.com/"],
  ["http://notrailingslash.com", "http://notrailingslash.com/"],
  ["http://www.gotaport.com:1234/", "http://www.gotaport.com/"],
  ["  http://www.google.com/  ", "http://www.google.com/"],
  ["http:// leadingspace.com/", "http://%20leadingspace.com/"],
  ["http://%20leadingspace.com/", "http://%20leadingspace.com/"],
  ["%20leadingspace.com/", "http://%20leadingspace.com/"],
  ["https://www.securesite.com/", "https://www.securesite.com/"],
  ["http://host.com/ab%23cd", "http://host.com/ab%23cd"],
  ["http://host.com//twoslashes?more//slashes", "http://host.com/twoslashes?more//slashes"],
];

describe("a canonical URL", () => {
  it.each(PUBLISHED)("of %j is %j", (text, expected) => {
    const url = canonicalize(text);
    expect(url === null ? null : formatUrl(url)).toBe(expected);
  });

  it("has the host that a browser would open", () => {
    const hostOf = (text: string) => canonicalize(text)?.host;
    expect(hostOf("https://paypal.com@evil.dev/")).toBe("evil.dev");
    expect(hostOf("https://evil.dev\\@paypal.com/")).toBe("evil.dev");
    expect(hostOf("https://bücher.ch/")).toBe("xn--bcher-kva.ch");
    expect(hostOf("http://0x7f.1/")).toBe("127.0.0.1");
    expect(hostOf("http://[2606:4700::1111]:8080/")).toBe("[2606:4700::1111]");
    expect(hostOf("http://[2606:4700:0:0::0:1111]/")).toBe("[2606:4700::1111]");
  });

  it.each([
    "[::ffff:192.0.2.1]",
    "[::ffff:c000:201]",
    "[::FFFF:0:192.0.2.1]",
    "[64:ff9b::192.0.2.1]",
    "[64:ff9b::c000:201]:80",
  ])("has the IPv4 address in %s", (host) => {
    expect(canonicalize(`https://${host}/`)?.host).toBe("192.0.2.1");
    expect(hostOfLink(`https://${host}/`)).toBe("192.0.2.1");
  });

  it("is only of the web", () => {
    expect(canonicalize("javascript://evil.dev/%0aalert(1)")).toBeNull();
    expect(canonicalize("https:///")).toBeNull();
  });
});

it("a long name has a bounded number of domains above it", () => {
  expect(hostSuffixes("a.b.example.com")).toEqual(["a.b.example.com", "b.example.com", "example.com"]);
  const host = `${"a.".repeat(100)}example.com`;
  const suffixes = hostSuffixes(host);
  expect(suffixes).toHaveLength(1 + MAX_DOMAINS_ABOVE);
  expect([suffixes[0], suffixes.at(-1)]).toEqual([host, "example.com"]);
});

it("SipHash has the values of its authors", () => {
  const key = toSipKey(Uint8Array.from({ length: 16 }, (_, index) => index));
  const bytes = Uint8Array.from({ length: 64 }, (_, index) => index);
  const hash = (length: number) => {
    const [low, high] = siphashBytes(key, bytes.subarray(0, length));
    return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
  };
  expect(hash(0)).toBe("726fdb47dd0e0e31");
  expect(hash(1)).toBe("74f839c593dc67fd");
  expect(hash(8)).toBe("93f5f5799a932462");
  expect(hash(15)).toBe("a129ca6149be45e5");
});
