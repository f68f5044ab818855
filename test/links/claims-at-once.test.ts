import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sharedLogName } from "../../src/click-log/click-log-name.ts";
import { clickLogOf } from "../../src/click-log/log/stub.ts";
import { finishClickMoves } from "../../src/links/claims/move-clicks.ts";
import type { Link } from "../../src/links/contract.ts";
import { CLICK_MOVE_DELAY_MS } from "../../src/links/limits.ts";
import { Browser } from "../identity/people/support.ts";
import { jobContext } from "../support/api.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";
import { claim, linksOf, shorten, signInWith } from "./claims-support.ts";

it("keeps each click of 40 links that 40 requests claim during their flushes", async () => {
  const browser = new Browser();
  const links: Link[] = [];
  for (let n = 0; n < 40; n++) links.push(await shorten(browser));
  const { account } = await signInWith(browser);
  const rounds = Array.from({ length: 3 }, () => messageOf(links.map(({ id }) => clickOn(id, null))));
  await consume(rounds.slice(0, 1));
  const flush = async () => expect(await consume(rounds)).toEqual({ retried: [] });
  const claims = links.map(async () => {
    const parallel = new Browser();
    for (const [name, value] of browser.cookies) parallel.cookies.set(name, value);
    return claim(parallel);
  });
  const [replies] = await Promise.all([Promise.all(claims), flush(), flush()]);
  expect(replies.map((reply) => linksOf(reply).length).filter((length) => length > 0)).toEqual([40]);
  const now = Date.now() + CLICK_MOVE_DELAY_MS;
  while ((await finishClickMoves(jobContext(now))) > 0);
  await flush();
  const counters = await clickLogOf(env, account).countersOf(links.map(({ id }) => id));
  expect(counters.map(({ clicks }) => clicks)).toEqual(links.map(() => 3));
  for (const { id } of links) {
    const former = env.CLICK_LOG.getByName(sharedLogName(id));
    expect(await former.readLink(id)).toEqual([]);
  }
});
