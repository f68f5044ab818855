import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { addKey, BASE_URL, call } from "../../support/api.ts";
import { measureD1, type Measured } from "../../support/d1-meter.ts";
import { internet } from "../../webhooks/support.ts";
import { connect } from "./support.ts";

beforeEach(() => internet.reset());

const costOf = ({ roundTrips, rowsRead, rowsWritten }: Measured) => ({ roundTrips, rowsRead, rowsWritten });

it("a call with an access token needs the round trips of one with a key, and a few rows more", async () => {
  const { access, person } = await connect({ asked: { parameters: { resource: `${BASE_URL}/api` } } });
  const accountId = await env.DB.prepare("SELECT id FROM accounts WHERE personal_user_id = ?1")
    .bind(person.userId)
    .first<number>("id");
  const { key } = await addKey(accountId ?? 0, ["links:read", "links:write"]);
  const measure = async (credential: string) => {
    const create = () => call("POST", "/api/links", { key: credential, body: { url: "https://example.com/" } });
    // The first use in a minute is written.
    const { link } = await (await create()).json<{ link: { id: string } }>();
    const read = await measureD1(() => call("GET", `/api/links/${link.id}`, { key: credential }));
    return { read: costOf(read), created: costOf(await measureD1(create)) };
  };
  const [withKey, withToken] = [await measure(key), await measure(access)];
  expect({ withKey, withToken }).toEqual({
    withKey: {
      read: { roundTrips: 2, rowsRead: 2, rowsWritten: 0 },
      created: { roundTrips: 2, rowsRead: 16, rowsWritten: 5 },
    },
    // The token, the grant, the membership, the account, the person, and whether the operator disabled the person.
    withToken: {
      read: { roundTrips: 2, rowsRead: 7, rowsWritten: 0 },
      created: { roundTrips: 2, rowsRead: 21, rowsWritten: 5 },
    },
  });
});
