import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { databaseOf } from "../../../src/database/databases.ts";
import { insertLinks } from "../../../src/links/insert-links.ts";
import type { Link } from "../../../src/links/contract.ts";
import { DELETED_LINK_PURGE_DELAY_MS } from "../../../src/links/limits.ts";
import { purgeDeletedLinks } from "../../../src/links/purge-deleted-links.ts";
import { findLink } from "../../../src/links/store/links.ts";
import type { LinkRow } from "../../../src/links/store/row.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { DELETED_LINK_KEPT_MS } from "../../../src/limits.ts";
import { askForMove, finishMove } from "../../account-move/support.ts";
import { Browser } from "../../people/support.ts";
import { call, createLink, jobContext } from "../../support/api.ts";
import {
  createPlacedAccounts,
  databases,
  entriesOf,
  useDatabases,
  type PlacedAccount,
} from "../../support/several-databases.ts";
import { until } from "../../support/until.ts";
import { claim, linksOf, shorten, signInWith, URL_OK } from "../claims-support.ts";

const HOST = "go.example.net";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  useDatabases();
  const settings = env as { ANONYMOUS_HOST: string };
  settings.ANONYMOUS_HOST = HOST;
  onTestFinished(() => {
    settings.ANONYMOUS_HOST = "";
  });
  accounts = await createPlacedAccounts();
});

/** A link that an account of the second database has claimed. */
async function claimElsewhere(browser: Browser, link: Link): Promise<number> {
  for (;;) {
    const { account } = await signInWith(browser);
    if ((account - 1) % 3 !== 1) continue;
    await databaseOf(env, account);
    expect(linksOf(await claim(browser))).toMatchObject([{ id: link.id, domain: HOST, shortUrl: link.shortUrl }]);
    return account;
  }
}

const keyOf = ({ slug }: Link) => `${HOST}/${slug.toLowerCase()}`;
const locationOf = async (url: string) => (await call("GET", url)).headers.get("Location");

it("leads to a link that another database has, and to the service's own link with the same slug", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const own = await createLink(accounts[2].key, { url: "https://example.org/", slug: link.slug });
  await claimElsewhere(browser, link);
  expect(await entriesOf()).toEqual([own.slug.toLowerCase(), keyOf(link)].toSorted());
  expect([await locationOf(link.shortUrl), await locationOf(own.shortUrl)]).toEqual([URL_OK, "https://example.org/"]);
});

it("gives no new link the slug of a claimed one", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const anonymous = (await findLink(env.DB, link.id)) as LinkRow;
  await claimElsewhere(browser, link);
  const insert = (changes: Partial<LinkRow>) => {
    const row = { ...anonymous, id: newId(Date.now()), ...changes };
    return insertLinks(jobContext(Date.now()), null, [{ row, hosts: [], isRefused: false }]);
  };
  expect((await insert({})).outcomes).toMatchObject([{ outcome: "slug_taken" }]);
  expect((await insert({ slug: "another" })).outcomes).toMatchObject([{ outcome: "created" }]);
});

it("keeps the slug of a deleted link until it cannot be restored", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  await claimElsewhere(browser, link);
  const path = `/api/links/${link.id}`;
  expect((await browser.send("DELETE", path)).status).toBe(200);
  expect((await call("GET", link.shortUrl)).status).toBe(404);
  expect(await entriesOf()).toEqual([keyOf(link)]);
  expect((await browser.send("POST", `${path}/restore`)).status).toBe(200);
  expect(await locationOf(link.shortUrl)).toBe(URL_OK);
  expect((await browser.send("DELETE", path)).status).toBe(200);
  const later = Date.now() + DELETED_LINK_KEPT_MS + 2 * DELETED_LINK_PURGE_DELAY_MS;
  expect(await purgeDeletedLinks({ ...jobContext(later), db: databases()[1] })).toBe(1);
  await until(async () => (await entriesOf()).length === 0);
});

it("leads to the links of an account that moves, also to deleted ones that are restored", async () => {
  const browser = new Browser();
  const [link, deleted] = [await shorten(browser), await shorten(browser)];
  for (;;) {
    const { account } = await signInWith(browser);
    if ((account - 1) % 3 !== 1) continue;
    await databaseOf(env, account);
    expect(linksOf(await claim(browser))).toHaveLength(2);
    const path = `/api/links/${deleted.id}`;
    for (const target of [2, 0, 1]) {
      expect((await browser.send("DELETE", path)).status).toBe(200);
      await askForMove(account, target);
      await finishMove();
      expect(await entriesOf()).toEqual(target === 0 ? [] : [link, deleted].map(keyOf).toSorted());
      expect((await browser.send("POST", `${path}/restore`)).status).toBe(200);
      for (const { shortUrl } of [link, deleted]) expect(await locationOf(shortUrl)).toBe(URL_OK);
    }
    return;
  }
});
