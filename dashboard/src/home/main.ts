import type { Because } from "#src/platform/http/fault-codes.ts";
import { isAppLanguage } from "#src/platform/languages.ts";
import { ApiError, call, reasonInWords } from "../api/client.ts";
import type { Link } from "../api/types.ts";
import { copyText } from "../lib/clipboard.ts";
import { keepLanguage } from "../lib/kept-language.ts";
import { withoutScheme } from "../lib/urls.ts";
import { texts } from "../texts/index.ts";
import { checkAddress } from "./check-address.ts";

// The home page without a framework: it shortens a URL for visitors without an account.

const home = texts.home;
const SHOWN_MS = 1_500;

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`home.html has no element #${id} of this kind.`);
  return element;
}

const form = find("shorten", HTMLFormElement);
const input = find("url", HTMLInputElement);
const problem = find("problem", HTMLElement);
const copy = find("copy", HTMLButtonElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void submit(input.value);
});

async function submit(text: string): Promise<void> {
  if (form.hasAttribute("aria-busy")) return;
  const address = checkAddress(text, location.origin);
  if (address.kind === "invalid") return refuse(await explainInvalid(address.because));
  if (address.kind === "own") return refuse(home.own);
  form.setAttribute("aria-busy", "true");
  showProblem("");
  try {
    await (address.kind === "short" ? showKnown(address.slug) : shorten(address.url));
  } catch (error) {
    refuse(explain(error));
  } finally {
    form.removeAttribute("aria-busy");
  }
}

async function shorten(url: string): Promise<void> {
  const { link } = await call<{ link: Link }>("POST", "/api/shorten", { body: { url } });
  await showLink({ ...link, destination: link.url, isNew: true, isPreviewed: link.visitors === "preview" });
}

/** Shows the short link that was pasted, which is as short as it gets. */
async function showKnown(slug: string): Promise<void> {
  const headers = { Accept: "application/json" };
  // The answer for a short URL with a plus: src/redirect/destination-preview.ts.
  const { destination } = await call<{ destination: string | null }>("GET", `/${slug}+`, { headers });
  await showLink({
    shortUrl: `${location.origin}/${slug}`,
    slug,
    destination: destination ?? home.locked,
    isNew: false,
    isPreviewed: false,
  });
}

function refuse(text: string): void {
  showProblem(text);
  input.focus();
}

function showProblem(text: string): void {
  problem.textContent = text;
  if (text === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

async function explainInvalid(because: Because | null): Promise<string> {
  if (because === null) return home.empty;
  const reason = await reasonInWords(because);
  return reason === null ? home.failed : home.invalid(reason);
}

function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return home.failed;
  if (error.status === 429) return home.limited(error.retryAfter ?? 60);
  if (error.status === 404) return home.unknown;
  if (error.status === 410) return home.ended;
  const reason = error.details.find(({ path }) => path === "url")?.message;
  return reason === undefined ? error.message : home.invalid(reason);
}

interface ShownLink {
  shortUrl: string;
  slug: string;
  destination: string;
  isNew: boolean;
  /** Whether visitors see the destination first. */
  isPreviewed: boolean;
}

async function showLink({ shortUrl, slug, destination, isNew, isPreviewed }: ShownLink): Promise<void> {
  // Loaded with the first link.
  const { encodeQR } = await import("qr");
  const svg = encodeQR(shortUrl, "svg", { border: 1 });
  find("qr", HTMLElement).replaceChildren(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  const address = find("short-url", HTMLAnchorElement);
  address.href = shortUrl;
  address.textContent = withoutScheme(shortUrl);
  find("destination", HTMLElement).textContent = destination;
  const download = find("download", HTMLAnchorElement);
  download.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  download.download = home.fileName(slug);
  find("known", HTMLElement).hidden = isNew;
  find("previewed", HTMLElement).hidden = !isPreviewed;
  find("expiry", HTMLElement).hidden = !isNew;
  find("result", HTMLElement).hidden = false;
  input.value = "";
  copy.focus();
}

copy.addEventListener("click", () => void copyShortUrl());

async function copyShortUrl(): Promise<void> {
  if (!(await copyText(find("short-url", HTMLAnchorElement).href))) return;
  copy.textContent = home.copied;
  setTimeout(() => {
    copy.textContent = home.copy;
  }, SHOWN_MS);
}

find("languages", HTMLElement).addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || !isAppLanguage(target.lang)) return;
  keepLanguage(target.lang);
  location.reload();
});
