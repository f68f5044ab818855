import { beforeEach, describe, expect, it } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import { buildRequest, call, createLink, jsonOf, key, send, startAccount, takeSentClicks } from "../../support/api.ts";
import { clicksIn, consume } from "../../support/clicks.ts";

beforeEach(startAccount);

describe("Global Privacy Control", () => {
  const cf = { country: "DE", regionCode: "BE", region: "Berlin", city: "Berlin", continent: "EU" };
  const visit = async (gpc: string, choice: "gpc" | "") => {
    const headers = { "User-Agent": "Agent/1", "Sec-GPC": gpc };
    const request = new Request(buildRequest("GET", "/private", { address: "203.0.113.7", headers }), { cf });
    const bindings = { NOT_RECORDED: choice } as unknown as Partial<Env>;
    await send(request as Parameters<typeof send>[0], bindings);
    const messages = takeSentClicks();
    const [click] = messages.flatMap(clicksIn);
    return { messages, ip: click?.[4], place: click?.slice(7, 11) };
  };

  it("leaves the address, the region and the city out, and nothing else", async () => {
    await createLink(key, { slug: "private" });
    const whole = { ip: "203.0.113.7", place: ["DE", "BE", "Berlin", "EU"] };
    expect(await visit("1", "gpc")).toMatchObject({ ip: null, place: ["DE", "", "", "EU"] });
    expect(await visit("0", "gpc")).toMatchObject(whole);
    expect(await visit("1", "")).toMatchObject(whole);
  });

  it("is a click without a visitor", async () => {
    const { id } = await createLink(key, { slug: "private" });
    for (const gpc of ["1", "1", "1", "0", "0"]) await consume((await visit(gpc, "gpc")).messages);
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks`, { key }));
    expect(clicks).toMatchObject({ total: 5, unique: 1, countries: [{ value: "DE", clicks: 5 }] });
    expect(clicks.cities).toEqual([
      { value: "unknown", clicks: 3 },
      { value: "Berlin", clicks: 2 },
    ]);
  });
});
