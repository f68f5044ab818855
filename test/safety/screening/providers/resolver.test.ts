import { beforeEach, expect, it } from "vitest";
import { BlockingResolver } from "#src/safety/screening/providers/resolver.ts";
import { PROVIDER_FAILURES, PROVIDER_PAUSE_MS, PROVIDER_ANSWER_TTL_MS } from "#src/safety/screening/limits.ts";
import { internet } from "../../../webhooks/support.ts";

beforeEach(() => internet.reset());

const NOW = Date.parse("2030-01-01");
// The simulated resolver answers both questions in turn from one list: those of the blocking one come first.
const newResolver = () => new BlockingResolver("https://blocking.test/dns-query", "https://other.test/dns-query");
const WARNING = { verdict: "warn", reason: "malware", source: "resolver" };

it("a host that only the blocking resolver answers with zeros is warned of, for ten minutes", async () => {
  await internet.addresses({ "evil.dev": [["0.0.0.0"], ["1.2.3.4"]] });
  const resolver = newResolver();
  expect(await resolver.ask({ host: "evil.dev" }, NOW)).toEqual(WARNING);
  expect(await resolver.ask({ host: "evil.dev" }, NOW + PROVIDER_ANSWER_TTL_MS - 1)).toEqual(WARNING);
  expect(await internet.lookUps("evil.dev")).toHaveLength(4);
  expect(await resolver.ask({ host: "evil.dev" }, NOW + PROVIDER_ANSWER_TTL_MS)).toBeNull();
});

it("a host that both resolvers answer with zeros, or that does not exist, is not", async () => {
  await internet.addresses({ "nowhere.dev": ["0.0.0.0", "::"], "missing.dev": [] });
  expect(await newResolver().ask({ host: "nowhere.dev" }, NOW)).toBeNull();
  expect(await newResolver().ask({ host: "missing.dev" }, NOW)).toBeNull();
  expect(await newResolver().ask({ host: "1.2.3.4" }, NOW)).toBeNull();
  expect(await internet.lookUps("1.2.3.4")).toEqual([]);
});

it("a resolver that fails says nothing, and is left alone for a while", async () => {
  await internet.addresses({ "broken.dev": "broken" });
  const resolver = newResolver();
  for (let failure = 0; failure < PROVIDER_FAILURES; failure++)
    expect(await resolver.ask({ host: "broken.dev" }, NOW)).toBeUndefined();
  const before = (await internet.lookUps("broken.dev")).length;
  expect(await resolver.ask({ host: "broken.dev" }, NOW + PROVIDER_PAUSE_MS - 1)).toBeUndefined();
  expect(await internet.lookUps("broken.dev")).toHaveLength(before);
  await internet.addresses({ "broken.dev": ["1.2.3.4"] });
  expect(await resolver.ask({ host: "broken.dev" }, NOW + PROVIDER_PAUSE_MS)).toBeNull();
});

it("a resolver that cannot resolve some names is still asked about others", async () => {
  await internet.addresses({ "failing.dev": "A servfail", "good.dev": ["1.2.3.4"] });
  const resolver = newResolver();
  for (let failure = 0; failure < PROVIDER_FAILURES; failure++)
    expect(await resolver.ask({ host: "failing.dev" }, NOW)).toBeUndefined();
  expect(await resolver.ask({ host: "good.dev" }, NOW)).toBeNull();
});
