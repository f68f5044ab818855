import { beforeEach, describe, expect, it } from "vitest";
import { preferredLanguage } from "../../../src/redirect/pages/language.ts";
import { call, createAccount, createLink, key, startAccount } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { guess, PASSWORD } from "../../support/password.ts";
import { IPHONE } from "../../support/visitors.ts";
import { MAX_ACCEPT_LANGUAGE_CHARS } from "../../../src/limits.ts";

describe("the language of a page", () => {
  it.each([
    [null, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["DE-ch", "de"],
    ["zh-Hant-TW", "en"],
    ["zh-CN, zh;q=0.9, ja;q=0.8, en;q=0.7", "ja"],
    ["en;q=0.5, fr;q=0.9, de;q=0.9", "fr"],
    ["fr;q=0.1,ar;q=0.2;,it;q=0.05", "fr"],
    ["es ; q=0.3 , pt ; Q=0.4", "pt"],
    ["de;q=0, fr;q=0.5", "fr"],
    ["de-AT, de;q=0, fr;q=0.5", "fr"],
    ["en;q=0", "en"],
    ["*;q=0.5, it;q=0.4", "en"],
    ["*;q=0.3, it;q=0.4", "it"],
    ["ja;q=1.5, ja;q=-1, ja;q=x, fr;q=0.2", "fr"],
    ["constructor, toString, __proto__, de", "de"],
    ["deu, ger, germanlanguage", "en"],
    [`${"xx,".repeat(MAX_ACCEPT_LANGUAGE_CHARS / 3)}de`, "en"],
    [`${"x".repeat(MAX_ACCEPT_LANGUAGE_CHARS - 4)},de-CH`, "en"],
    ["</html>, ar", "ar"],
  ])("for Accept-Language: %s is %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});

const HEADINGS = {
  en: ["There is no such link", "This link has ended", "This link is password-protected", "Where this link leads"],
  de: [
    "Diesen Link gibt es nicht",
    "Dieser Link ist beendet",
    "durch ein Passwort geschützt",
    "Wohin dieser Link führt",
  ],
  es: [
    "Este enlace no existe",
    "Este enlace ha terminado",
    "está protegido con contraseña",
    "Adónde lleva este enlace",
  ],
  fr: ["Ce lien n’existe pas", "Ce lien n’est plus actif", "protégé par un mot de passe", "Où mène ce lien"],
  pt: [
    "Este link não existe",
    "Este link foi encerrado",
    "Este link é protegido por senha",
    "Para onde este link leva",
  ],
  it: ["Questo link non esiste", "Questo link non è più attivo", "protetto da una password", "Dove porta questo link"],
  ja: ["このリンクは存在しません", "このリンクは終了しました", "パスワードで保護されています", "このリンクの行き先"],
  ar: ["هذا الرابط غير موجود", "انتهى هذا الرابط", "هذا الرابط محمي بكلمة مرور", "إلى أين يؤدي هذا الرابط"],
};

beforeEach(startAccount);

async function read(path: string, language: string, headers: Record<string, string> = {}): Promise<Response> {
  return call("GET", path, { headers: { Accept: "text/html", "Accept-Language": language, ...headers } });
}

it.each(Object.entries(HEADINGS))("has all pages in %s", async (language, headings) => {
  await createLink(key, { slug: "ended", disabled: true });
  await createLink(key, { slug: "locked", password: PASSWORD });
  await createLink(key, { slug: "open", url: "https://example.com/", geo: { DE: "https://example.de/" } });
  for (const [index, path] of ["/unknown", "/ended", "/locked", "/open+"].entries()) {
    const response = await read(path, `${language}-XX,en;q=0.1`);
    const direction = language === "ar" ? "rtl" : "ltr";
    const html = await response.text();
    expect(html).toContain(`<!doctype html><html lang="${language}" dir="${direction}">`);
    expect(/<h1>(.*)<\/h1>/.exec(html)?.[1]).toContain(headings[index]);
    expect(response.headers.get("Content-Language")).toBe(language);
    expect(response.headers.get("Vary")).toBe("Accept, Accept-Language");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(html).not.toMatch(/undefined|\{(wait|bytes|name|unicode)\}/);
  }
});

it("has the pages of a custom domain, of an app and of wrong guesses in the visitor's language", async () => {
  const { accountId } = await createAccount();
  await insertDomain(accountId, "go.acme.test");
  expect(await (await read("https://go.acme.test/", "de")).text()).toContain("<h1>Kurzlinks</h1>");
  await createLink(key, { slug: "tries", ios: "acme://spring" });
  expect(await (await read("/tries", "fr", { "User-Agent": IPHONE })).text()).toContain("Ouvrir dans l’application");
  expect(await (await read("/tries+", "it", { "User-Agent": IPHONE })).text()).toContain("prova prima un’app:");
});

it("answers in English to clients that ask for JSON", async () => {
  const response = await read("/unknown", "de", { Accept: "application/json" });
  expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^There is no such link\. /) });
  expect(response.headers.get("Content-Language")).toBeNull();
  expect(response.headers.get("Vary")).toBe("Accept, Accept-Language");
});

it("says in words how long to wait after too many guesses", async () => {
  await createLink(key, { slug: "locked", password: PASSWORD });
  let html = "";
  for (let time = 0; time < 6; time++) {
    const options = { headers: { "Accept-Language": "de" }, address: "192.0.2.7" };
    html = await (await guess("/locked", `wrong-${time}`, options)).text();
  }
  expect(html).toMatch(
    /<h1>Zu viele Versuche<\/h1><p>Versuchen Sie es in (?:1 Minute|\d+ Sekunden) noch einmal\.<\/p>/,
  );
  expect(html).toContain('<a href="/locked">Zurück zum Link</a>');
});
