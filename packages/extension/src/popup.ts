import { element, inputField, run } from "./elements.ts";
import { findLink, shorten, type ShortLink } from "./service.ts";
import { readSettings, type Settings } from "./settings.ts";

const form = element("form");
const result = element("result");
const short = element("short");

element("settings").addEventListener("click", () => void chrome.runtime.openOptionsPage());

const [settings, [tab]] = await Promise.all([readSettings(), chrome.tabs.query({ active: true, currentWindow: true })]);
// A test opens the popup as a page, and names the page to shorten.
const page = new URLSearchParams(location.search).get("url") ?? tab?.url ?? "";

if (settings === null) void chrome.runtime.openOptionsPage();
else if (!/^https?:/.test(page)) element("page").textContent = "This page has no web address that can be shortened.";
else await start(settings, page);

async function start(known: Settings, url: string): Promise<void> {
  element("page").textContent = url;
  // Without a key, the service chooses the slug.
  element("slug-field").hidden = known.key === "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run(form, async () => show(known, await shorten(known, url, inputField("slug").value.trim()), false));
  });
  element("copy").addEventListener("click", () => void copy());
  element("another").addEventListener("click", ask);
  const found = await findLink(known, url);
  if (found === null) ask();
  else await show(known, found, true);
}

function ask(): void {
  result.hidden = true;
  form.hidden = false;
  element("message").textContent = "";
  (element("slug-field").hidden ? form.querySelector("button") : element("slug"))?.focus();
}

async function show({ service, key }: Settings, { id, shortUrl }: ShortLink, isFound: boolean): Promise<void> {
  form.hidden = true;
  result.hidden = false;
  short.textContent = shortUrl;
  element("found").hidden = !isFound;
  element("another").hidden = !isFound;
  const open = element("open");
  open.hidden = key === "";
  open.setAttribute("href", `${service}/app/links/${id}`);
  element("copy").focus();
  if (!isFound) await copy();
}

async function copy(): Promise<void> {
  await navigator.clipboard.writeText(short.textContent);
  element("message").textContent = "Copied.";
}
