import { call } from "../api/client.ts";
import { copyText } from "../lib/clipboard.ts";
import { texts } from "../texts/index.ts";
import { findParts, type Part } from "./search.ts";

// A page of the documents without a framework: search, copy buttons, tabs, and the reader's own key. The page works without it.

const docs = texts.docs;
const SHOWN_MS = 1_500;
const MAX_RESULTS = 30;
const LANGUAGE = "docs-language";

for (const block of document.querySelectorAll<HTMLElement>(".code")) {
  if (block.classList.contains("tabs")) addTabs(block);
  addCopyButton(block);
}
showLanguage(readLanguage());
addSearch();
void showKey();

// As src/lib/storage.ts does it for the dashboard, which has React.
function readLanguage(): string {
  try {
    return localStorage.getItem(LANGUAGE) ?? "curl";
  } catch {
    return "curl";
  }
}

function storeLanguage(name: string): void {
  try {
    localStorage.setItem(LANGUAGE, name);
  } catch {
    // The browser forbids it. The choice lasts as long as the page.
  }
}

function addTabs(block: HTMLElement): void {
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", docs.language);
  for (const panel of block.querySelectorAll<HTMLElement>("[data-tab]")) {
    const name = panel.dataset["tab"] ?? "";
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.textContent = name;
    tab.addEventListener("click", () => {
      storeLanguage(name);
      // What is above must not move the example that the person looks at.
      const before = tab.getBoundingClientRect().top;
      showLanguage(name);
      scrollBy(0, tab.getBoundingClientRect().top - before);
    });
    list.appendChild(tab);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", name);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
    const next = tabs.at((tabs.indexOf(event.target as HTMLElement) + step) % tabs.length);
    next?.focus();
    next?.click();
  });
  block.insertBefore(list, block.firstChild);
}

/** Shows the programs of one language in all examples that have it. */
function showLanguage(language: string): void {
  for (const block of document.querySelectorAll<HTMLElement>(".tabs")) {
    const names = Array.from(block.querySelectorAll<HTMLElement>("[data-tab]"), ({ dataset }) => dataset["tab"]);
    const shown = names.includes(language) ? language : names[0];
    for (const panel of block.querySelectorAll<HTMLElement>("[data-tab]")) {
      panel.hidden = panel.dataset["tab"] !== shown;
      panel.toggleAttribute("data-shown", !panel.hidden);
    }
    for (const tab of block.querySelectorAll<HTMLElement>("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.textContent === shown));
      tab.tabIndex = tab.textContent === shown ? 0 : -1;
    }
  }
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = docs.copy;
  button.addEventListener("click", () => void copy());
  const copy = async () => {
    const code = [...block.querySelectorAll("pre")].find((pre) => pre.closest("[hidden]") === null);
    if (!(await copyText(code?.textContent ?? ""))) return;
    button.textContent = docs.copied;
    setTimeout(() => (button.textContent = docs.copy), SHOWN_MS);
  };
  block.appendChild(button);
}

/** Names the first key of the account, if the reader is signed in. The server decides that; no request is made for others. */
async function showKey(): Promise<void> {
  // Only pages whose examples need a key have it.
  const line = document.getElementById("page-key");
  if (line === null || document.documentElement.dataset["session"] !== "true") return;
  try {
    const { keys } = await call<{ keys: { name: string; lastFour: string }[] }>("GET", "/api/keys", {
      query: { limit: 1 },
    });
    const [key] = keys;
    if (key !== undefined) line.firstChild?.replaceWith(`${docs.yourKey(key.name, key.lastFour)} `);
  } catch {
    // The session has ended, or may not read keys.
  }
}

function addSearch(): void {
  const form = document.getElementById("page-search");
  const input = document.getElementById("page-words");
  const results = document.getElementById("page-results");
  const article = document.querySelector<HTMLElement>("article");
  if (
    !(form instanceof HTMLFormElement) ||
    !(input instanceof HTMLInputElement) ||
    results === null ||
    article === null
  )
    throw new Error("guide.html has no search.");
  let parts: Promise<Part[]> | undefined;
  /** null: the texts of the pages did not come. The next letter asks for them again. */
  const find = async (text: string) => {
    try {
      return findParts(await (parts ??= readParts(form.dataset["index"] ?? "")), text);
    } catch {
      parts = undefined;
      return null;
    }
  };
  const show = async () => {
    const text = input.value.trim();
    const found = text === "" ? [] : await find(text);
    if (text !== input.value.trim()) return;
    results.hidden = text === "";
    article.hidden = text !== "";
    results.replaceChildren(...(text === "" ? [] : resultElements(found)));
  };
  input.addEventListener("focus", () => void find(""), { once: true });
  input.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    input.value = "";
    void show();
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select") !== null;
    const opens = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!opens && (event.key !== "/" || isTyping)) return;
    event.preventDefault();
    input.focus();
  });
  // The browser scrolls to a result on this page only if it shows.
  results.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.pathname !== location.pathname) return;
    input.value = "";
    void show();
  });
}

/** The paths in the file are relative to its own. */
async function readParts(file: string): Promise<Part[]> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const parts: Part[] = await response.json();
  for (const part of parts) part.path = new URL(part.path, response.url).href;
  return parts;
}

function resultElements(found: Part[] | null): Element[] {
  const heading = document.createElement("h1");
  heading.textContent = docs.results;
  const count = document.createElement("p");
  const shown = found?.slice(0, MAX_RESULTS) ?? [];
  count.textContent = found === null ? docs.searchFailed : docs.found(found.length, shown.length);
  const list = document.createElement("ul");
  for (const { title, heading, path, text } of shown) {
    const link = document.createElement("a");
    link.href = path;
    const name = document.createElement("strong");
    name.textContent = heading === "" ? title : `${title}: ${heading}`;
    const extract = document.createElement("span");
    extract.className = "extract";
    extract.textContent = text;
    link.replaceChildren(name, extract);
    const item = document.createElement("li");
    item.appendChild(link);
    list.appendChild(item);
  }
  return [heading, count, list];
}
