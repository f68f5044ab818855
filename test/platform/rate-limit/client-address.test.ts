import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clientName, routedNetworkName } from "../../../src/platform/rate-limit/client-address.ts";
import { buildRequest, send } from "../../support/api.ts";

const WORKERS = "2a06:98c0:3600::103";

// Timeouts never fire, however slow the machine is.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

/** Sends a request of each client in turn. Returns the calls that each has left. */
async function left(...clients: (string | Record<string, string>)[]): Promise<number[]> {
  const remaining: number[] = [];
  for (const client of clients) {
    const headers: Record<string, string> = typeof client === "string" ? { "CF-Connecting-IP": client } : client;
    const request = buildRequest("GET", "/api/keys", { headers });
    if (headers["CF-Connecting-IP"] === undefined) request.headers.delete("CF-Connecting-IP");
    const response = await send(request);
    expect(response.status).toBe(401);
    remaining.push(Number(response.headers.get("X-RateLimit-Remaining")));
  }
  return remaining;
}

function isSameClient(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => clientName(new Headers({ "CF-Connecting-IP": address })));
  return first === second;
}

describe("the client of a call", () => {
  it("is the IPv4 address", async () => {
    expect(await left("192.0.2.1", "192.0.2.2", "192.0.2.1")).toEqual([29, 29, 28]);
  });

  it("is the /64 of an IPv6 address, in any notation", async () => {
    const oneSubscriber = [
      "2001:db8:0:1::1",
      "2001:db8:0:1::2",
      "2001:0DB8:0000:0001:FFFF:0000:0000:0001",
      "2001:db8::1:0:0:0:1",
      "2001:db8:0:1:0:0:192.0.2.1",
    ];
    expect(await left(...oneSubscriber)).toEqual([29, 28, 27, 26, 25]);
    expect(await left("2001:db8:0:2::1", "2001:db8::1", "2001:db8:1:1::1")).toEqual([29, 29, 29]);
  });

  it("is the IPv4 address in an IPv4-mapped IPv6 address", async () => {
    expect(await left("192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:c000:0201")).toEqual([
      29, 28, 27, 26,
    ]);
    expect(await left("::ffff:192.0.2.2")).toEqual([29]);
  });

  it.each(["X-Forwarded-For", "Forwarded", "True-Client-IP", "X-Real-IP", "X-Client-IP", "Via", "CF-Worker"])(
    "is not read from %s",
    async (header) => {
      const written = (value: string) => ({ "CF-Connecting-IP": "192.0.2.1", [header]: value });
      expect(await left("192.0.2.1", written("198.51.100.1"), written("other.example"))).toEqual([29, 28, 27]);
      expect(await left({ [header]: "192.0.2.1" })).toEqual([29]);
    },
  );

  it("is the zone of a calling Worker, because all Workers share one address", async () => {
    const worker = (zone: string) => ({ "CF-Connecting-IP": WORKERS, "CF-Worker": zone });
    expect(await left(worker("one.example"), worker("two.example"), worker("one.example"))).toEqual([29, 29, 28]);
    expect(await left(WORKERS, WORKERS)).toEqual([29, 28]);
  });

  it("is the same for all unknown addresses", async () => {
    expect(await left({}, {}, "", "nonsense", "192.0.2.256")).toEqual([29, 28, 27, 26, 25]);
    expect(await left("192.0.2.1")).toEqual([29]);
  });
});

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xff_ff }));
const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
/** The first 64 bits of an address that is not IPv4-mapped. */
const prefix = groups(4).filter(([first = 0]) => first > 0);
const spelling = fc.record({
  upperCase: fc.boolean(),
  digits: fc.constantFrom(1, 4),
  shortened: fc.boolean(),
  dotted: fc.boolean(),
});

type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

/** One of the notations of an address. */
function spell(address: number[], { upperCase, digits, shortened, dotted }: Spelling): string {
  const parts = address.map((value) => value.toString(16).padStart(digits, "0"));
  const [high = 0, low = 0] = address.slice(6);
  if (dotted) parts.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join("."));
  let text = parts.join(":");
  if (shortened) text = text.replace(/(^|:)0+(:0+)+(:|$)/, "::");
  return upperCase ? text.toUpperCase() : text;
}

it("counts two IPv6 addresses together if and only if their first 64 bits are equal, in any notation", () => {
  const address = fc.tuple(groups(4), spelling);
  fc.assert(
    fc.property(prefix, prefix, address, address, (prefix, otherPrefix, [host, one], [otherHost, other]) => {
      const written = spell([...prefix, ...host], one);
      expect(isSameClient(written, spell([...prefix, ...otherHost], other))).toBe(true);
      const differ = prefix.some((value, index) => value !== otherPrefix[index]);
      expect(isSameClient(written, spell([...otherPrefix, ...host], other))).toBe(!differ);
    }),
    { numRuns: 1_000 },
  );
});

it("counts an IPv4 address and its IPv4-mapped IPv6 address together, and other IPv4 addresses apart", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), spelling, (address, other, how) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      expect(isSameClient(address, spell([0, 0, 0, 0, 0, 0xff_ff, a * 256 + b, c * 256 + d], how))).toBe(true);
      expect(isSameClient(address, other)).toBe(address === other);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ["192.0.2.200", "192.0.2.0/24"],
  ["::ffff:192.0.2.200", "192.0.2.0/24"],
  ["2001:db8:7:8:9::1", "2001:db8:7::/48"],
  [WORKERS, null],
  ["nonsense", null],
])("finds the routed network of %s", (address, network) => {
  expect(routedNetworkName(new Headers({ "CF-Connecting-IP": address }))).toBe(network);
});
