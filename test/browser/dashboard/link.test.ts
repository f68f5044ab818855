import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { qr } from "../../../dashboard/src/texts/en/qr.ts";
import { scan } from "../../support/scanner.ts";
import { readPng } from "../../support/png.ts";
import { createLink, expectNoBarriers, undo } from "../support/dashboard.ts";
import { newSlug, readClipboard, readLink, textbox } from "../support/links.ts";
import { openSignedIn, type View } from "../support/visits.ts";

const SCALE = 4;

/** The image of the dialog as it is shown. */
function readImage(page: Page): Promise<{ size: number; pixels: boolean[][]; background: string; foreground: string }> {
  return page.getByRole("img", { name: /^QR code of/ }).evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const size = image.naturalWidth;
    const canvas = document.createElement("canvas");
    canvas.width = size;
    canvas.height = size;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, size, size);
    const colours = Array.from({ length: size * size }, (_, at) =>
      Array.from(data.subarray(at * 4, at * 4 + 3), (value) => value.toString(16).padStart(2, "0")).join(""),
    );
    const background = colours[0] ?? "";
    const pixels = Array.from({ length: size }, (_, y) =>
      Array.from({ length: size }, (_, x) => colours[y * size + x] !== background),
    );
    const foreground = colours.find((colour) => colour !== background) ?? "";
    return { size, pixels, background: `#${background}`, foreground: `#${foreground}` };
  });
}

it.each<View>([{}, { width: 390, height: 844 }])("shows a link with its settings (%o)", async (view) => {
  const { page, context } = await openSignedIn(view);
  const { id, slug, shortUrl } = await createLink(context, {
    slug: newSlug("Page"),
    title: "Spring sale",
    password: "tern in the wind",
    maxClicks: 5000,
    geo: { FR: "https://example.com/fr" },
    rules: [{ countries: ["DE", "AT"], devices: ["mobile"], percentage: 25, url: "https://example.com/de" }],
    preview: { image: "https://cdn.example.net/spring.png" },
    passParameters: false,
  });
  await page.goto(`/app/links/${id}`);
  await page.getByRole("heading", { name: new RegExp(slug) }).waitFor();
  for (const text of [
    "0 of 5,000 clicks used",
    "in Germany or Austria · on a phone · 25% of them",
    "Image from cdn.example.net",
    "Visitors must enter it",
    "Kept off the destination",
  ])
    await page.getByText(text).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Copy the short URL" }).click();
  await expect.poll(() => readClipboard(page)).toBe(shortUrl);

  await page.keyboard.press("a");
  await expect.poll(async () => (await readLink(context, id))["archived"]).toBe(true);
  await undo(page);
  await expect.poll(async () => (await readLink(context, id))["archived"]).toBe(false);

  await page.keyboard.press("d");
  const dialog = page.getByRole("dialog", { name: "Duplicate link" });
  await dialog.waitFor();
  expect(await textbox(page, "Slug").inputValue()).toBe("");
  expect(await textbox(page, "Title").inputValue()).toBe("Spring sale");
  // Each group opens with the focus in its first field. In the group, its key closes it.
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent;
    });
  for (const [key, field] of Object.entries({
    m: "Source",
    x: "Start",
    p: "Password",
    t: "iPhone and iPad",
    r: "Country",
    s: "Title",
    o: "Redirect status",
  })) {
    await page.keyboard.press(`Alt+${key}`);
    await expect.poll(focused).toBe(field);
  }
  await page.keyboard.press("Alt+m");
  await expect.poll(focused).toBe("Source");
  await page.keyboard.press("Alt+m");
  await expect.poll(focused).toMatch(/^Campaign/);
  expect(await dialog.getByRole("textbox", { name: "Source" }).count()).toBe(0);
  await expectNoBarriers(page);
});

it("says when there is no such link", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/links/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f");
  await page.getByRole("heading", { name: "There is no such link" }).waitFor();
  await expectNoBarriers(page);
});

it("shows bulk jobs until they are read, at 390 px not over the bar of the selection", async () => {
  const { page, context } = await openSignedIn({ width: 390, height: 844 });
  const { slug } = await createLink(context, { slug: newSlug("Job") });
  const session = (await (await context.request.get("/api/auth/session")).json()) as { accounts: { id: string }[] };
  const ended = { fields: [], status: "done", progress: { done: 2, total: 2 }, unchanged: 0, undone: 0, notUndone: 0 };
  const jobs: Record<string, object> = {
    whole: { ...ended, id: "whole", action: "restore", changed: 2, failed: 0, error: null },
    part: { ...ended, id: "part", action: "update", changed: 1, failed: 1, error: null },
    undone: {
      ...ended,
      id: "undone",
      status: "undone",
      action: "delete",
      changed: 1,
      failed: 1,
      undone: 1,
      error: null,
    },
  };
  await page.route("**/api/bulk/*", (route) =>
    route.fulfill({ json: { job: jobs[route.request().url().split("/").at(-1) ?? ""] } }),
  );
  await page.addInitScript(([name, shown]) => localStorage.setItem(name, shown), [
    `bulk-jobs:${session.accounts[0]?.id}`,
    JSON.stringify({
      jobs: [
        { id: "whole", label: "Restore 2 links", change: "restore" },
        { id: "part", label: "Tag 2 links", change: { kind: "tag", add: ["campaign"], remove: [] } },
        { id: "undone", label: "Delete 2 links", change: { kind: "delete" } },
      ],
    }),
  ] as const);
  await page.clock.install();
  await page.goto("/app/links");
  const panel = page.getByRole("region", { name: "Bulk changes" });
  await panel.getByText("Restored 2 links").waitFor();
  await panel.getByText("Tagged 1 link with “campaign”").waitFor();
  await panel.getByText("1 link could not be changed.").waitFor();
  // What failed before the undoing no longer matters.
  await panel.getByText("Undone: 1 link is as before").waitFor();
  await expect.poll(() => panel.locator(".text-bad").count()).toBe(1);
  // To undo a restoring is to delete.
  expect(await panel.getByRole("button", { name: /Undo|Delete/ }).allTextContents()).toEqual([
    "Delete them again",
    "Undo",
  ]);
  await expectNoBarriers(page);
  await panel.getByRole("button", { name: "Hide" }).last().click();
  await panel.getByText("Undone").waitFor({ state: "detached" });
  const box = page.getByRole("listitem").filter({ hasText: slug }).getByRole("checkbox");
  await box.click();
  await page.getByRole("region", { name: "Selected links" }).waitFor();
  await panel.waitFor({ state: "hidden" });
  await box.click();
  await panel.waitFor();
  await page.clock.fastForward("01:01");
  await panel.getByText("Restored 2 links").waitFor({ state: "detached" });
  await panel.getByText("Tagged 1 link").waitFor();
});

it("draws, saves and copies QR codes that scanners read", async () => {
  const { page, context } = await openSignedIn();
  const { id, slug, shortUrl } = await createLink(context, { slug: newSlug("Code") });
  const content = `${shortUrl}?qr=1`;
  await page.goto(`/app/links/${id}`);
  await page.getByRole("heading", { name: new RegExp(slug) }).waitFor();
  await page.keyboard.press("q");
  await page.getByRole("img", { name: /^QR code of/ }).waitFor();
  await expect.poll(async () => scan((await readImage(page)).pixels)).toBe(content);
  await expectNoBarriers(page);

  await textbox(page, "Code colour, as a code").fill("#0b4652");
  await textbox(page, "Size").fill("300");
  await page.getByLabel("Error correction").selectOption("Q");
  await expect.poll(async () => readImage(page)).toMatchObject({ foreground: "#0b4652", size: 300 });

  await textbox(page, "Background, as a code").fill("#0b5652");
  await page.getByText(/Scanners may not read these colours/).waitFor();
  await expectNoBarriers(page);
  await textbox(page, "Background, as a code").fill("#e2f0f1");
  await page.getByText(/Scanners may not read these colours/).waitFor({ state: "hidden" });
  await expect.poll(async () => (await readImage(page)).background).toBe("#e2f0f1");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as PNG" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${slug}.png`);
  const png = await readPng(Uint8Array.from(readFileSync(await file.path())));
  expect(png).toMatchObject({ size: 300, palette: ["#e2f0f1", "#0b4652"] });
  expect(scan(png.pixels)).toBe(content);

  const logo = await context.request.get(`/api/links/${id}/qr?format=png&size=64`);
  await page
    .getByLabel("Logo")
    .setInputFiles({ name: "logo.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await page.getByText(qr.logoProblem(fieldFaults.not_an_image), { exact: true }).waitFor();
  await page
    .getByLabel("Logo")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.alloc(40_000) });
  await page.getByText(qr.logoProblem(fieldFaults.too_many_bytes({ max: 32_768, actual: 40_000 }))).waitFor();
  const drawn = page.waitForResponse((response) => response.url().endsWith("/api/qr"));
  await page.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await logo.body() });
  expect((await drawn).status()).toBe(200);
  // Level Q has room for a smaller logo than H.
  await textbox(page, "Size of the logo").fill("30");
  await page.getByText("In percent of the code’s width, 10 to 24.", { exact: true }).waitFor();
  expect(await textbox(page, "Size of the logo").getAttribute("aria-invalid")).toBe("true");
  const resized = page.waitForRequest((request) => request.url().endsWith("/api/qr"));
  await page.getByLabel("Error correction").selectOption("H");
  expect((await resized).postDataJSON()).toMatchObject({ level: "H", logoSize: 30 });
  await expectNoBarriers(page);
  await page.getByLabel("Error correction").selectOption("Q");
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await expect.poll(async () => scan((await readImage(page)).pixels)).toBe(content);

  await page.getByLabel("Dots").selectOption("round");
  await page.getByLabel("Corners").selectOption("circle");
  await textbox(page, "Text below the code").fill("Scan me");
  await textbox(page, "Margin").fill("1");
  await page.getByText("A text below the code needs a margin of at least 2.").waitFor();
  await expectNoBarriers(page);
  await textbox(page, "Margin").fill("4");
  const isHigh = () =>
    page
      .getByRole("img", { name: /^QR code of/ })
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalHeight > image.naturalWidth);
  await expect.poll(isHigh).toBe(true);
  await textbox(page, "Width of the PDF").fill("30");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as PDF" }).click();
  const pdf = await saved;
  expect(pdf.suggestedFilename()).toBe(`${slug}.pdf`);
  expect(readFileSync(await pdf.path(), "latin1")).toContain("MediaBox[0 0 85.0394 ");
  await page.getByLabel("Dots").selectOption("square");
  await page.getByLabel("Corners").selectOption("square");
  await textbox(page, "Text below the code").fill("");

  await page.getByRole("button", { name: "Copy image" }).click();
  await page.getByText("The image is on the clipboard").first().waitFor();
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
  expect(types).toContain("image/png");

  // The style is remembered, and the editor's own drawing has it too.
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("e");
  await textbox(page, "Slug").fill(`${slug}-new`);
  const code = page.getByRole("img", { name: new RegExp(`${slug}-new$`) });
  await code.waitFor();
  const drawing = await code.evaluate((svg) => ({
    width: Number(svg.getAttribute("viewBox")?.split(" ")[2]),
    path: svg.querySelector("path")?.getAttribute("d") ?? "",
    colour: svg.querySelector("path")?.getAttribute("fill"),
  }));
  expect(drawing.colour).toBe("#0b4652");
  expect(scan(toModules(drawing.path, drawing.width), SCALE)).toBe(`${shortUrl}-new?qr=1`);
});

/** The modules of a path with a rectangle for each run of dark ones. */
function toModules(path: string, width: number): boolean[][] {
  const modules = Array.from({ length: width }, () => Array.from({ length: width }, () => false));
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(run));
  return modules;
}
