import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createAccount } from "../../support/api.ts";
import { insertAccount } from "../../support/accounts.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { until } from "../../support/until.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { arrived, ask, watch } from "./support.ts";

it("sends", async () => {
  const { accountId, key } = await createAccount();
  const r = await ask("", { key });
  console.log(r.status, [...r.headers]);
  const w = await watch("", { key });
  await consume([messageOf([clickOn(newId(Date.now()), accountId)])]);
  await until(() => w.messages.length > 0);
  console.log(JSON.stringify(w));
  await arrived(w);
  w.socket.send("x".repeat(16384));
  await until(() => w.closed !== null);
  console.log(JSON.stringify(w.closed));
});
