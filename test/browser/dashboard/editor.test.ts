import { expect, it } from "vitest";
import { createLink, expectNoBarriers, ORIGIN, post, undo } from "../support/dashboard.ts";
import {
  drag,
  HOST,
  newSlug,
  openEditor,
  patchLink,
  readClipboard,
  readLink,
  textbox,
  URL_FIELD,
} from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

it("creates a link by keyboard alone, copies it, and undoes it", async () => {
  const { page, context } = await openSignedIn();
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  await page.evaluate(() => navigator.clipboard.writeText("https://example.com/from-the-clipboard"));
  await page.keyboard.press("c");
  await expect
    .poll(() => page.getByRole("textbox", URL_FIELD).inputValue())
    .toBe("https://example.com/from-the-clipboard");
  // Pasting once more replaces what the editor has filled in.
  await page.keyboard.press("Control+v");
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/from-the-clipboard");
  await page.keyboard.press("Enter");
  await page.getByText(`is ready`).first().waitFor();
  await page.getByText("The short URL is on the clipboard.").first().waitFor();
  const shortUrl = await readClipboard(page);
  expect(shortUrl).toMatch(new RegExp(`^${ORIGIN}/[a-z0-9]{7}$`));
  const slug = shortUrl.slice(ORIGIN.length + 1);
  await page
    .getByRole("link", { name: new RegExp(slug) })
    .first()
    .waitFor();

  await undo(page);
  await page.getByText(`${HOST}/${slug} is deleted again`).first().waitFor();
  const { links } = (await (await context.request.get("/api/links")).json()) as { links: unknown[] };
  expect(links).toEqual([]);

  // What was typed comes back, and not the short URL from the clipboard.
  await page.keyboard.press("c");
  await page.getByText("This is your draft from before.").waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/from-the-clipboard");
  await page.evaluate(() => navigator.clipboard.writeText("https://example.com/pasted"));
  await page.keyboard.press("Control+v");
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/pasted");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+s");
  await page.getByText(`is ready`).first().waitFor();
});

/** The editor of a new link by mouse, with a slug that is free. `create` creates the link and returns it. */
async function openNewLink() {
  const { page, context } = await openSignedIn();
  const slug = newSlug("New");
  await page.goto("/app/links");
  await page.getByRole("button", { name: "Create link" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New link" });
  await page.getByRole("textbox", URL_FIELD).fill("example.com/spring?ref=poster#top");
  await textbox(page, "Slug").fill(slug);
  await dialog.getByText(`${slug} is free.`).waitFor();
  const open = (name: string) => dialog.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  const create = async (): Promise<unknown> => {
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await page.getByText(`${HOST}/${slug} is ready`).first().waitFor();
    const { links } = (await (await context.request.get(`/api/links?slug=${slug}`)).json()) as { links: unknown[] };
    return links[0];
  };
  return { page, context, dialog, slug, open, create };
}

it("gives a new link a title, tags and the campaign of a template", async () => {
  const { page, context, dialog, slug, open, create } = await openNewLink();
  await dialog.getByRole("combobox", { name: "Tags" }).fill("sale, spring,");
  await page.keyboard.press("Enter");
  await textbox(page, "Title").first().fill("Spring sale");
  await post(context, "/api/utm-templates", { name: "Newsletter", utm: { source: "newsletter", medium: "email" } });
  await open("Campaign");
  await dialog.getByRole("button", { name: "Choose a template" }).click();
  await page.getByRole("button", { name: /^Newsletter newsletter/ }).click();
  await dialog.getByRole("textbox", { name: "Campaign" }).fill("spring sale");
  await dialog.getByRole("textbox", { name: "Medium" }).fill("");
  await dialog.getByRole("button", { name: "Save as template" }).click();
  await textbox(page, "Name of the template").fill("Spring");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Template Spring is saved").first().waitFor();
  await dialog.getByRole("button", { name: "Spring", exact: true }).waitFor();
  await page.getByText("Undo", { exact: true }).last().click();
  await page.getByText("Template Spring is deleted").first().waitFor();
  await dialog.getByRole("button", { name: "Save as template" }).waitFor();
  await dialog.getByRole("checkbox", { name: "Pass visitors' parameters on" }).uncheck();
  expect(await create()).toMatchObject({
    passParameters: false,
    url: "https://example.com/spring?ref=poster&utm_source=newsletter&utm_campaign=spring%20sale#top",
    slug,
    title: "Spring sale",
    tags: ["sale", "spring"],
  });
});

it("gives a new link an end and a password", async () => {
  const { page, dialog, open, create } = await openNewLink();
  await open("Start and expiry");
  const expiry = dialog.getByLabel("End", { exact: true });
  await expiry.fill("2030-07-01T12:00");
  // The year, digit by digit.
  await expiry.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  for (const digit of "2031") await page.keyboard.press(digit);
  expect(await expiry.inputValue()).toBe("2031-07-01T12:00");
  await dialog.getByLabel("Time zone").selectOption("America/New_York");
  await expiry.fill("2030-07-01T12:00");
  await textbox(page, "After clicks").fill("500");
  await textbox(page, "Destination afterwards").fill("https://example.com/over");
  await open("Password");
  await dialog.getByRole("textbox", { name: "Password" }).fill("tern in the wind");
  expect(await create()).toMatchObject({
    expiresAt: Date.parse("2030-07-01T16:00Z"),
    maxClicks: 500,
    expiredUrl: "https://example.com/over",
    hasPassword: true,
  });
});

it("gives a new link destinations by device and country, a preview and further settings", async () => {
  const { page, dialog, open, create } = await openNewLink();
  await open("Devices and countries");
  await textbox(page, "iPhone and iPad").fill("acme://spring");
  await textbox(page, "Android").fill("https://example.com/android");
  await dialog.getByRole("button", { name: "Add a country" }).click();
  await dialog.getByRole("combobox", { name: "Country 1" }).selectOption("FR");
  await textbox(page, "Destination 1").fill("https://example.com/fr");
  await open("Social preview");
  const social = dialog.getByRole("textbox", { name: "Image URL" });
  await social.fill("https://cdn.example.net/spring.png");
  await dialog.getByRole("textbox", { name: "Title" }).nth(1).fill("Spring at Acme");
  await dialog.getByRole("textbox", { name: "Description" }).fill("Two\nlines");
  await dialog.getByText("Image from cdn.example.net").waitFor();
  await open("More settings");
  await dialog.getByLabel("Redirect status").selectOption("307");
  await textbox(page, "External id").fill("product-17");
  await dialog.getByRole("checkbox", { name: "Disabled" }).check();
  expect(await create()).toMatchObject({
    ios: "acme://spring",
    android: "https://example.com/android",
    geo: { FR: "https://example.com/fr" },
    preview: { title: "Spring at Acme", description: "Two lines", image: "https://cdn.example.net/spring.png" },
    redirectStatus: 307,
    externalId: "product-17",
    disabled: true,
  });
});

it("gives a new link rules by mouse, in its time zone, and orders them", async () => {
  const { page, dialog, open, create } = await openNewLink();
  // The times of rules are in the zone of the expiry.
  await open("Start and expiry");
  await dialog.getByLabel("End", { exact: true }).fill("2030-07-01T12:00");
  await dialog.getByLabel("Time zone").selectOption("America/New_York");
  await open("Rules");
  for (const [number, url] of [
    [1, "first"],
    [2, "second"],
  ] as const) {
    await dialog.getByRole("button", { name: "Add a rule" }).click();
    const rule = dialog.getByRole("listitem", { name: `Rule ${number}`, exact: true });
    await rule.getByRole("textbox", URL_FIELD).fill(`https://example.com/${url}`);
    await rule.getByRole("combobox", { name: "Add a condition" }).selectOption("countries");
    // The new field has the focus.
    await page.keyboard.type("germ");
    await rule.getByRole("option", { name: "Germany", selected: true }).waitFor();
    if (number === 1) await rule.getByRole("option", { name: "Germany" }).click();
    else await page.keyboard.press("Enter");
    await rule.getByRole("button", { name: "Remove Germany", exact: true }).waitFor();
  }
  const second = dialog.getByRole("listitem", { name: "Rule 2", exact: true });
  for (const [condition, value] of [
    ["percentage", "25"],
    ["referrers", "https://news.example/today"],
    ["languages", "pt-br"],
    ["regions", "us-ca"],
  ] as const) {
    await second.getByRole("combobox", { name: "Add a condition" }).selectOption(condition);
    const names = {
      percentage: "Share of visitors",
      referrers: "Coming from",
      languages: "Language",
      regions: "Region",
    };
    await second
      .locator("input")
      .and(second.getByLabel(names[condition], { exact: true }))
      .fill(value);
  }
  await second.getByRole("combobox", { name: "Add a condition" }).selectOption("devices");
  await second.getByRole("checkbox", { name: "Phone" }).check();
  await second.getByRole("combobox", { name: "Add a condition" }).selectOption("os");
  await second.getByRole("checkbox", { name: "Android" }).check();
  await second.getByRole("combobox", { name: "Add a condition" }).selectOption("endsAt");
  await second.getByLabel("Ends", { exact: true }).fill("2030-01-31T12:00");
  await drag(
    page,
    dialog.getByRole("button", { name: /^Rule 2 of 2/ }),
    dialog.getByRole("listitem", { name: "Rule 1", exact: true }),
  );
  await dialog.getByRole("listitem", { name: "Rule 1", exact: true }).getByText("news.example").first().waitFor();
  expect(await create()).toMatchObject({
    rules: [
      {
        countries: ["DE"],
        percentage: 25,
        referrers: ["news.example"],
        languages: ["pt-BR"],
        regions: ["US-CA"],
        devices: ["mobile"],
        os: ["Android"],
        endsAt: Date.parse("2030-01-31T17:00Z"),
        url: "https://example.com/second",
      },
      { countries: ["DE"], url: "https://example.com/first" },
    ],
  });
});

it("orders rules by keyboard alone, sends only what changed, and undoes an edit", async () => {
  const { page, context } = await openSignedIn();
  const rules = ["a", "b", "c"].map((name) => ({ countries: ["DE"], url: `https://example.com/${name}` }));
  const { id, slug } = await createLink(context, { slug: newSlug("Rules"), rules, tags: ["kept"] });
  const order = async () =>
    ((await readLink(context, id))["rules"] as { url: string }[]).map(({ url }) => url.at(-1)).join("");
  await page.goto(`/app/links/${id}`);
  await page.getByRole("heading", { name: new RegExp(slug) }).waitFor();
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push([request.postDataJSON(), request.headers()["if-match"]]);
  });
  await page.keyboard.press("e");
  await page.getByRole("dialog", { name: /^Edit/ }).waitFor();
  await page.keyboard.press("Alt+r");
  const handle = page.getByRole("button", { name: /^Rule 1 of 3/ });
  for (let presses = 0; !(await handle.evaluate((element) => element === document.activeElement)); presses++) {
    expect(presses).toBeLessThan(40);
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("ArrowDown");
  await page.getByText("Moved to place 2 of 3.").waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toMatch(/^Rule 2 of 3/);
  await page.keyboard.press("End");
  await page.getByText("Moved to place 3 of 3.").waitFor();
  const before = await readLink(context, id);
  await page.keyboard.press("Control+s");
  await page.getByText(`${HOST}/${slug} is saved`).first().waitFor();
  expect(await order()).toBe("bca");
  const sent = bodies[0] as [Record<string, { id: string }[]>, string];
  expect(Object.keys(sent[0])).toEqual(["rules"]);
  expect(sent[1]).toBe(`"${String(before["updatedAt"])}"`);
  const ids = (before["rules"] as { id: string }[]).map((rule) => rule.id);
  expect(sent[0]["rules"]?.map((rule) => rule.id)).toEqual([ids[1], ids[2], ids[0]]);

  await undo(page);
  await page.getByText(`${HOST}/${slug} is as it was`).first().waitFor();
  expect(await order()).toBe("abc");
  expect(await readLink(context, id)).toMatchObject({ tags: ["kept"], slug, aliases: [] });

  // A former slug goes away with the undo as well.
  await page.keyboard.press("e");
  await textbox(page, "Slug").fill(`${slug}-new`);
  await page.getByText(`${slug}-new is free. ${slug} keeps working as a former slug.`).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${HOST}/${slug}-new is saved`).first().waitFor();
  expect(await readLink(context, id)).toMatchObject({ slug: `${slug}-new`, aliases: [slug] });
  await undo(page);
  await expect.poll(() => readLink(context, id)).toMatchObject({ slug, aliases: [] });

  // A removed former slug cannot come back. The undo brings the rest back.
  await patchLink(context, id, { slug: `${slug}-newer` });
  await openEditor(page, id);
  await textbox(page, "Title").fill("Renamed");
  await page.keyboard.press("Alt+o");
  await page.getByRole("button", { name: `Remove ${slug}`, exact: true }).click();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Undo cannot bring removed former slugs back.").first().waitFor();
  expect(await readLink(context, id)).toMatchObject({ title: "Renamed", aliases: [] });
  await undo(page);
  await expect.poll(() => readLink(context, id)).toMatchObject({ title: null, slug: `${slug}-newer`, aliases: [] });
});
