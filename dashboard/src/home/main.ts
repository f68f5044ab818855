import { ApiError, call } from "../api/client.ts";
import type { Link } from "../api/types.ts";
import { copyText } from "../lib/clipboard.ts";
import { withoutScheme } from "../lib/urls.ts";
import { texts } from "../texts/index.ts";

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
  void shorten(input.value.trim());
});

async function shorten(url: string): Promise<void> {
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  showProblem("");
  try {
    const { link } = await call<{ link: Link }>("POST", "/api/shorten", { body: { url } });
    // Loaded with the first link.
    const { encodeQR } = await import("qr");
    showLink(link, encodeQR(link.shortUrl, "svg", { border: 1 }));
  } catch (error) {
    showProblem(explain(error));
    input.focus();
  } finally {
    form.removeAttribute("aria-busy");
  }
}

function showProblem(text: string): void {
  problem.textContent = text;
  if (text === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return home.failed;
  if (error.status === 429) return home.limited(error.retryAfter ?? 60);
  return error.status === 400 ? home.invalid : error.message;
}

function showLink({ shortUrl, slug, url }: Link, svg: string): void {
  find("qr", HTMLElement).replaceChildren(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  const address = find("short-url", HTMLAnchorElement);
  address.href = shortUrl;
  address.textContent = withoutScheme(shortUrl);
  find("destination", HTMLElement).textContent = url;
  const download = find("download", HTMLAnchorElement);
  download.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  download.download = home.fileName(slug);
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
