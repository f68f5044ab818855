import { ApiError, call } from "../api/client.ts";
import type { Link } from "../api/types.ts";
import { copyText } from "../lib/clipboard.ts";
import { home } from "../texts/en/home.ts";

// The home page without a framework: it shortens a URL for visitors without an account.

const SHOWN_MS = 1_500;

function find<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`home.html has no element #${id}.`);
  return element as T;
}

const form = find<HTMLFormElement>("shorten");
const input = find<HTMLInputElement>("url");
const problem = find("problem");
const copy = find<HTMLButtonElement>("copy");

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
    await showLink(link);
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
  if (!(error instanceof ApiError) || error.status === 0) return home.failed;
  if (error.status === 429) return home.limited(error.retryAfter ?? 60);
  return error.status === 400 ? home.invalid : error.message;
}

async function showLink({ shortUrl, slug, url }: Link): Promise<void> {
  // Loaded with the first link.
  const { default: encodeQr } = await import("qr");
  const svg = encodeQr(shortUrl, "svg", { border: 0 });
  find("qr").replaceChildren(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
  const address = find<HTMLAnchorElement>("short-url");
  address.href = shortUrl;
  address.textContent = shortUrl.replace(/^https?:\/\//, "");
  find("destination").textContent = url;
  const download = find<HTMLAnchorElement>("download");
  download.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  download.download = home.fileName(slug);
  find("result").hidden = false;
  input.value = "";
  copy.focus();
}

copy.addEventListener("click", () => {
  void copyText(find<HTMLAnchorElement>("short-url").href).then((done) => {
    if (!done) return;
    copy.textContent = home.copied;
    setTimeout(() => (copy.textContent = home.copy), SHOWN_MS);
  });
});
