import type { Domain } from "../../../src/domains/contract.ts";
import { MAX_PAGE_SIZE_ITEMS, MAX_URL_CHARS } from "../../../src/limits.ts";
import type { FilledAccount } from "../account.ts";
import { largestAppFiles, randomText } from "../bodies.ts";
import { NOW } from "../../instrumented/year.ts";
import { get, type WorstCall } from "./call.ts";

// Keys, tags, jobs, domains and deep links.

const PAGE = `limit=${MAX_PAGE_SIZE_ITEMS}`;

const appTarget = () => `acme://${randomText(MAX_URL_CHARS - 60)}`;

/** Revokes the keys that earlier calls created. */
async function revokeExtra({ ask }: FilledAccount): Promise<void> {
  const { keys } = await ask<{ keys: { id: string; name: string; status: string }[] }>({
    method: "GET",
    path: `/api/keys?${PAGE}`,
  });
  for (const { id, name, status } of keys)
    if (name === "worst" && status === "active") await ask({ method: "DELETE", path: `/api/keys/${id}` });
}

async function createKey(account: FilledAccount): Promise<string> {
  await revokeExtra(account);
  const { key } = await account.ask<{ key: { id: string } }>({
    method: "POST",
    path: "/api/keys",
    body: '{"name":"worst"}',
  });
  return key.id;
}

/** The tags that the links were filled with, each on one of 53 links. The largest job would take minutes. */
const TAGS = 40;

const TAG_CALL = "a tag of one in 53 links, for one webhook";

interface TagPage {
  tags: { name: string }[];
}

/** A tag, and the name that it is renamed to: back and forth. `isPresent` is false after it was deleted. */
async function tagNames({ ask }: FilledAccount, n: number) {
  const tag = `tag-${n % TAGS}`;
  const path = `/api/tags?prefix=${tag}&${PAGE}`;
  const { tags } = await ask<TagPage>({ method: "GET", path });
  const names = new Set(tags.map(({ name }) => name));
  const isRenamed = names.has(`${tag}-x`);
  return {
    from: isRenamed ? `${tag}-x` : tag,
    to: isRenamed ? tag : `${tag}-x`,
    isPresent: isRenamed || names.has(tag),
  };
}

/** Gives a deleted tag to as many links again. */
async function restoreTag({ server, accountId }: FilledAccount, tag: string): Promise<void> {
  const give = `UPDATE links SET tags = json_array('common', ?2),
      tag_keys = json_array(char(127) || 'common' || char(127), char(127) || ?2 || char(127))
    WHERE seq IN (SELECT seq FROM links WHERE account_id = ?1 AND archived = 0 AND tags = '["common"]'
      LIMIT (SELECT count(*) / 53 FROM links WHERE account_id = ?1))`;
  await server.db.prepare(give).bind(accountId, tag).run();
}

async function deleteExtraDomains({ ask, domains, customDomain }: FilledAccount): Promise<void> {
  const page = await ask<{ domains: Domain[] }>({ method: "GET", path: `/api/domains?${PAGE}` });
  for (const { id, domain } of page.domains)
    if (!domains.includes(id) && domain !== customDomain)
      await ask({ method: "DELETE", path: `/api/domains/${id}?force=true` });
}

const firstDomain = ({ domains }: FilledAccount) => domains[0] ?? "";

const LINKS_OF_DELETED_DOMAIN = 500;

/** A verified domain with links; returns its id. */
async function createDomainWithLinks(account: FilledAccount, n: number): Promise<string> {
  await deleteExtraDomains(account);
  const { server, accountId, customDomain } = account;
  const id = crypto.randomUUID().replace(/^(.{14})./, "$17");
  const insert = server.db.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, '', 'verified', ?4, 0, 0, 0)`,
  );
  const name = `deleted-${n}.acme.com`;
  await insert.bind(id, accountId, name, NOW * 2).run();
  const move = server.db.prepare(
    `UPDATE links SET domain = ?1 WHERE seq IN
       (SELECT seq FROM links WHERE account_id = ?2 AND archived = 0 AND domain = ?3 LIMIT ?4)`,
  );
  await move.bind(name, accountId, customDomain, LINKS_OF_DELETED_DOMAIN).run();
  return id;
}

const appFiles = (path: (account: FilledAccount) => string): WorstCall => ({
  what: "two files of 30 KB",
  prepare: (account) => ({ method: "PATCH", path: path(account), body: JSON.stringify(largestAppFiles()) }),
});

export const resourceCalls = {
  "GET /api/keys": [get("a page of 100 keys", () => `/api/keys?${PAGE}`)],
  "POST /api/keys": [
    {
      what: "the fifth key",
      prepare: async (account) => {
        await revokeExtra(account);
        return { method: "POST", path: "/api/keys", body: '{"name":"worst"}' };
      },
      isScarce: true,
    },
  ],
  "GET /api/keys/current": [get("a key", () => "/api/keys/current")],
  "PATCH /api/keys/:id": [
    {
      what: "name and permissions",
      prepare: async (account) => ({
        method: "PATCH",
        path: `/api/keys/${await createKey(account)}`,
        body: '{"name":"worst","permissions":["links:read"]}',
      }),
      isScarce: true,
    },
  ],
  "GET /api/request-log": [
    get("a page of requests of a method that none has", () => `/api/request-log?method=HEAD&${PAGE}`),
  ],
  "DELETE /api/keys/:id": [
    {
      what: "with descendants",
      prepare: async (account) => ({
        method: "DELETE",
        path: `/api/keys/${await createKey(account)}?descendants=true`,
      }),
      isScarce: true,
    },
  ],
  "GET /api/tags": [get("a page of 100 tags", () => `/api/tags?${PAGE}`)],
  "PATCH /api/tags/:tag (name)": [
    {
      what: TAG_CALL,
      prepare: async (account, n) => {
        const { from, to } = await tagNames(account, n);
        return { method: "PATCH", path: `/api/tags/${from}`, body: JSON.stringify({ name: to }) };
      },
      isScarce: true,
    },
  ],
  "DELETE /api/tags/:tag": [
    {
      what: TAG_CALL,
      prepare: async (account, n) => {
        const { from, isPresent } = await tagNames(account, n);
        if (!isPresent) await restoreTag(account, from);
        return { method: "DELETE", path: `/api/tags/${from}` };
      },
      isScarce: true,
    },
  ],
  "PATCH /api/tags/:tag (color)": [
    {
      what: "a colour of a tag that has another",
      prepare: async (_account, n) => ({
        method: "PATCH",
        path: "/api/tags/common",
        body: JSON.stringify({ color: n % 2 === 0 ? "red" : "blue" }),
      }),
    },
  ],
  "GET /api/jobs/:id": [
    {
      what: "a job of a tag",
      prepare: async (account, n) => {
        const { from, isPresent } = await tagNames(account, n);
        if (!isPresent) await restoreTag(account, from);
        const { job } = await account.ask<{ job: { id: string } }>({ method: "DELETE", path: `/api/tags/${from}` });
        return { method: "GET", path: `/api/jobs/${job.id}` };
      },
      isScarce: true,
    },
  ],
  "GET /api/usage": [get("100 keys, 99 domains and nine webhooks", () => "/api/usage")],
  "GET /api/health": [get("all checks", () => "/api/health")],
  "GET /api/service": [get("a call", () => "/api/service")],
  "GET /api/domains": [get("a page of 99 domains with two files of 30 KB each", () => `/api/domains?${PAGE}`)],
  "GET /api/domains/:id/orphan-visits": [
    get("a domain whose visitors found all links", (account) => `/api/domains/${firstDomain(account)}/orphan-visits`),
  ],
  "GET /api/domains/:id": [get("two files of 30 KB", (account) => `/api/domains/${firstDomain(account)}`)],
  "POST /api/domains/add": [
    {
      what: "the hundredth domain",
      prepare: async (account, n) => {
        await deleteExtraDomains(account);
        const body = JSON.stringify({ domain: `${"bücher.".repeat(8)}added-${n}.acme.com` });
        return { method: "POST", path: "/api/domains/add", body };
      },
      isScarce: true,
    },
  ],
  "POST /api/domains/:id/verify": [
    {
      what: "records that are not found",
      prepare: (account) => ({ method: "POST", path: `/api/domains/${firstDomain(account)}/verify` }),
    },
  ],
  "DELETE /api/domains/:id": [
    {
      what: `with ${LINKS_OF_DELETED_DOMAIN} links`,
      prepare: async (account, n) => ({
        method: "DELETE",
        path: `/api/domains/${await createDomainWithLinks(account, n)}?force=true`,
      }),
      isScarce: true,
    },
  ],
  "PATCH /api/domains/:id": [appFiles((account) => `/api/domains/${firstDomain(account)}`)],
  "GET /api/deep-links/links/:id": [
    get("a link of 50 KB", ({ heavyLinks }) => `/api/deep-links/links/${heavyLinks[0]}`),
  ],
  "PATCH /api/deep-links/links/:id": [
    {
      what: "the longest targets of a link of 50 KB, for all webhooks",
      prepare: ({ heavyLinks }, n) => ({
        method: "PATCH",
        path: `/api/deep-links/links/${heavyLinks[n % heavyLinks.length]}`,
        body: JSON.stringify({ ios: appTarget(), android: appTarget() }),
      }),
    },
  ],
  "GET /api/deep-links/domains/:id": [
    get("two files of 30 KB", (account) => `/api/deep-links/domains/${firstDomain(account)}`),
  ],
  "PATCH /api/deep-links/domains/:id": [appFiles((account) => `/api/deep-links/domains/${firstDomain(account)}`)],
} satisfies Record<string, WorstCall[]>;
