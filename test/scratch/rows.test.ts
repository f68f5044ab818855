import { env } from "cloudflare:workers";
import { it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, jsonOf } from "../support/api.ts";
import { clientPrototype } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";

async function show(label: string, run: () => Promise<unknown>) {
  const client = clientPrototype();
  const original = client._send;
  client._send = async function send(...input) {
    const output = await original.apply(this, input);
    const sqls = [input[1]].flat().map((s) => String(s).replaceAll(/\s+/g, " "));
    [output]
      .flat()
      .forEach((o: any, i) =>
        console.log(label, o.meta?.rows_read, o.meta?.rows_written, (sqls[i] ?? "").slice(0, 110)),
      );
    return output;
  };
  try {
    await run();
  } finally {
    client._send = original;
  }
}
it.each([1, 10])("rows %i", async (count) => {
  const { key, accountId } = await createAccount();
  await insertManyLinks(env.DB, accountId, 100);
  vi.useFakeTimers({ toFake: ["Date"] });
  await call("GET", "/api/keys", { key });
  const links = Array.from({ length: count }, (_, n) => ({
    url: `https://host-${n}.example/`,
    slug: `c-${n}`,
    externalId: `e-${n}`,
  }));
  let ids: string[] = [];
  await show(`POST${count}`, async () => {
    const r = await call("POST", "/api/links/bulk", { key, body: { links } });
    ids = (await jsonOf<{ results: { link: Link }[] }>(r)).results.map(({ link }) => link.id);
  });
  await show(`PATCH${count}`, () => call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { title: "x" } } }));
  await show(`DEL${count}`, () => call("DELETE", "/api/links/bulk", { key, body: { ids } }));
  vi.useRealTimers();
});
