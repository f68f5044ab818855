import { beforeEach, describe, expect, it } from "vitest";
import { LIST_REFRESH_MS, LIST_RETRY_MS } from "#src/safety/screening/limits.ts";
import { runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { addEntries, addList, screener, useScreening } from "./support.ts";

useScreening();
beforeEach(() => internet.reset());

const START = Date.parse("2030-01-01");
const URL_OF_LIST = "https://lists.test/list.txt";
const HOSTS = Array.from({ length: 40 }, (_, number) => `bad-${number}.dev`);

const isBlocked = async (...urls: string[]) => (await screener().screen(urls)).map((finding) => finding !== null);
const stateOf = async (id: string) => (await screener().describeLists([id]))[0];

/** Lets the list file have this content, and runs the cron. */
async function refresh(now: number, answer: Parameters<typeof internet.answers>[0][string]): Promise<void> {
  await internet.answers({ "lists.test": answer });
  await runCron(now);
}

describe("a list file", () => {
  it("is read by the cron, and blocks its hosts with their subdomains", async () => {
    const id = await addList(URL_OF_LIST, "hosts");
    await refresh(START, { body: HOSTS.join("\n") });
    expect(await stateOf(id)).toEqual({ entries: 40, refreshedAt: START, fault: null });
    const urls = [
      "https://bad-1.dev/",
      "http://a.b.bad-39.dev:8080/x?y",
      "https://bad-1.dev.example/",
      "acme://bad-1.dev",
    ];
    expect(await isBlocked(...urls)).toEqual([true, true, false, false]);
    expect((await screener().screen([urls[0] as string]))[0]).toEqual({
      verdict: "block",
      reason: "malware",
      source: id,
    });
  });

  it("of URLs blocks only these URLs", async () => {
    await addList(URL_OF_LIST, "urls");
    await refresh(START, { body: "https://shared.dev/a%2Fb?x=1\nhttp://other.dev/\n" });
    expect(await isBlocked("http://shared.dev/a/b?x=1#top", "https://shared.dev/a/b", "https://other.dev/y")).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ["empty", { body: "" }, "it is empty"],
    ["half as long", { body: HOSTS.slice(0, 19).join("\n") }, "less than half"],
    ["a page", { body: "<!doctype html>\n<p>Sorry</p>\n" }, "are no hosts"],
    ["endless", { endless: true }, "larger than 128 MB"],
    ["refused", { status: 403 }, "answered 403"],
    ["cut off", { fails: true }, "could not be read"],
  ])("that is %s keeps the version before, says why, and is read again", async (_, answer, fault) => {
    const id = await addList(URL_OF_LIST, "hosts");
    await refresh(START, { body: HOSTS.join("\n") });
    const later = START + LIST_REFRESH_MS;
    await refresh(later, answer);
    expect(await stateOf(id)).toEqual({ entries: 40, refreshedAt: START, fault: expect.stringContaining(fault) });
    expect(await isBlocked("https://bad-30.dev/")).toEqual([true]);
    await refresh(later + LIST_RETRY_MS - 1, { body: HOSTS.slice(1).join("\n") });
    expect(await isBlocked("https://bad-0.dev/")).toEqual([true]);
    await refresh(later + LIST_RETRY_MS, { body: HOSTS.slice(1).join("\n") });
    expect(await isBlocked("https://bad-0.dev/", "https://bad-1.dev/")).toEqual([false, true]);
    expect(await stateOf(id)).toMatchObject({ entries: 39, fault: null });
  });

  it("is read once in its time", async () => {
    await addList(URL_OF_LIST, "hosts");
    await refresh(START, { body: HOSTS.join("\n") });
    await runCron(START + LIST_REFRESH_MS - 1);
    expect(await internet.received()).toHaveLength(1);
    await runCron(START + LIST_REFRESH_MS);
    expect(await internet.received()).toHaveLength(2);
  });

  it("yields to the operators' own entries", async () => {
    await addList(URL_OF_LIST, "hosts");
    await refresh(START, { body: HOSTS.join("\n") });
    await addEntries(["host good.bad-1.dev", "allow"], ["url bad-2.dev/page", "allow"], ["host own.dev"]);
    const urls = ["https://good.bad-1.dev/", "https://bad-1.dev/", "https://bad-2.dev/page", "https://bad-2.dev/"];
    expect(await isBlocked(...urls, "https://x.own.dev/")).toEqual([false, true, false, true, true]);
  });
});

it("without screening the cron asks nobody", async () => {
  await addList(URL_OF_LIST, "hosts");
  await runCron(START, { SCREENING: "" });
  expect(await internet.received()).toEqual([]);
});
