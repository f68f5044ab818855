import { webhooks } from "@tern/sdk";
import { expect, test } from "vitest";
import { SAMPLE_EVENTS, sampleOf } from "../../../packages/cli/src/samples.ts";
import { checkerFor, resolveShared } from "../../e2e/support/openapi.ts";
import { answers, startReceiver } from "../../e2e/support/receiver.ts";
import { installation, prepareInstallation } from "./support/installation.ts";
import { Tern } from "./support/tern.ts";

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=";

const tern = new Tern({ TERN_WEBHOOK_SECRET: SECRET });

prepareInstallation();

test("samples are as the API describes them", async () => {
  const document = resolveShared((await installation.here.get("/api/openapi.json")).json());
  const check = checkerFor(document);
  expect(SAMPLE_EVENTS.toSorted()).toEqual(Object.keys(document.webhooks).toSorted());
  for (const event of SAMPLE_EVENTS) {
    const schema = document.webhooks[event]?.["post"]?.requestBody?.content["application/json"]?.schema;
    expect(schema, event).toBeDefined();
    expect(check(schema ?? {}, sampleOf(event, Date.now())), event).toBeNull();
  }
});

test("a sample is signed in both ways", async () => {
  const { arrivals, origin } = installation.receiver;
  const sent = await tern.run(["trigger", "link.click", "--forward-to", `${origin}/hooks/tern`]);
  expect(sent).toMatchObject({ exitCode: 0, output: expect.stringContaining("responded with 200"), errors: "" });
  const { headers, body, path } = arrivals.at(-1) ?? expect.fail("nothing arrived");
  expect([path, headers["x-service-event"], headers["user-agent"]]).toEqual([
    "/hooks/tern",
    "link.click",
    "Service-Webhook/1.0",
  ]);
  expect(await webhooks.verify(body, headers, SECRET)).toMatchObject({ event: "link.click" });
  const { "webhook-signature": _, ...own } = headers;
  expect(await webhooks.verify(body, own, SECRET)).toMatchObject({ event: "link.click" });
});

test("a sample reaches no webhook of the account, and asks the service nothing", async () => {
  const user = await installation.newTern();
  await user.json("webhooks", "create", `${installation.receiver.origin}/registered`, "--event", "link.create");
  const before = installation.front.requests.length;
  const args = ["trigger", "link.create", "--forward-to", `${installation.receiver.origin}/local`, "--secret-stdin"];
  expect(await user.run(args, { input: `${SECRET}\n` })).toMatchObject({ exitCode: 0 });
  const { body, headers } = installation.receiver.arrivals.at(-1) ?? expect.fail("nothing arrived");
  expect(await webhooks.verify(body, headers, SECRET)).toMatchObject({ event: "link.create" });
  expect(installation.front.requests).toHaveLength(before);
  expect(installation.receiver.arrivals.filter(({ path }) => path === "/registered")).toEqual([]);
});

test("a sample that is not accepted is a failure, and one without a secret is not sent", async () => {
  const failing = await startReceiver(answers(500));
  expect(await tern.run(["trigger", "webhook.test", "--forward-to", failing.origin])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("500"),
  });
  const noSecret = { TERN_WEBHOOK_SECRET: "" };
  expect(await tern.run(["trigger", "webhook.test", "--forward-to", failing.origin], noSecret)).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("--secret-stdin"),
  });
  const args = ["trigger", "webhook.test", "--forward-to", failing.origin, "--secret-stdin"];
  expect(await tern.run(args, { input: "\n" })).toMatchObject({ exitCode: 2 });
  expect(failing.arrivals).toHaveLength(1);
  await failing.stop();
});
