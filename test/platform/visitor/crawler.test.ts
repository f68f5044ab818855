import { expect, it } from "vitest";
import { MAX_USER_AGENT_CHARS } from "../../../src/limits.ts";
import { isCrawler } from "../../../src/platform/visitor/crawler.ts";
import { libraryOf } from "../../../src/platform/visitor/libraries.ts";
import crawlers from "./corpus/crawlers.txt?raw";
import { linesOf } from "./corpus/lines.ts";
import people from "./corpus/people.txt?raw";
import programs from "./corpus/programs.txt?raw";
import weighted from "./corpus/weighted.txt?raw";

it("takes no person for a crawler", () => {
  const userAgents = [...linesOf(people), ...linesOf(weighted).map((line) => line.split("|").slice(4).join("|"))];
  expect(userAgents.length).toBeGreaterThan(350);
  expect(userAgents.filter(isCrawler)).toEqual([]);
});

it("takes no library, command line client or automation tool for a crawler", () => {
  expect(linesOf(programs).length).toBeGreaterThan(250);
  expect(linesOf(programs).filter(isCrawler)).toEqual([]);
});

it("recognises at least 99 % of the crawlers", () => {
  const userAgents = linesOf(crawlers);
  expect(userAgents.length).toBeGreaterThan(1_300);
  const missed = userAgents.filter((userAgent) => !isCrawler(userAgent));
  expect(missed.length / userAgents.length, missed.join("\n")).toBeLessThanOrEqual(0.01);
});

it.each(["SomethingNew/1.0", "internal-tool", "Mozilla/5.0", "Android 14", "x".repeat(600)])(
  "counts the unknown program '%s' as a visitor",
  (userAgent) => expect(isCrawler(userAgent)).toBe(false),
);

it("reads only the start of a long user agent", () => {
  expect(isCrawler(`${"x".repeat(MAX_USER_AGENT_CHARS - 9)} Googlebot`)).toBe(false);
  expect(isCrawler(`${"x".repeat(MAX_USER_AGENT_CHARS - 10)} Googlebot`)).toBe(true);
});

it("reads texts that are hard for regular expressions", () => {
  const pieces = [
    "MSIE 1",
    "a.b",
    "a-",
    "check_",
    "http:",
    "+ ",
    "1 subscriber",
    "a@a",
    "(",
    "; 24AA",
    "Macintosh ",
    "x-google",
  ];
  // One that backtracks without end would exceed the test's time limit.
  for (const piece of pieces) for (let n = 0; n < 200; n++) isCrawler(`${n}${piece.repeat(512)}`);
});

it.each([
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.31.0",
  "Python/3.11 aiohttp/3.9.1",
  "axios/1.6.2",
  "node",
  "Go-http-client/2.0",
  "okhttp/4.12.0",
  "Apache-HttpClient/4.5.14 (Java/17)",
  "Dart/3.2 (dart:io)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Pinterest/12.4",
])("counts %s as a visitor", (userAgent) => {
  expect(isCrawler(userAgent)).toBe(false);
});

it.each([
  "",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "WhatsApp/2.23.20.0",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
  "GoogleHC/1.0",
  "Gatus/1.0",
  "Checkly/1.0",
  "NotionEmbedder",
  "python-requests/2.31 my-crawler",
  "http.rb/5.1.1 (Mastodon/4.2.8; +https://mastodon.example/)",
  "got/11.8.6 (Misskey)",
  "Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.example/)",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 meta-externalfetcher",
])("counts '%s' as a crawler", (userAgent) => {
  expect(isCrawler(userAgent)).toBe(true);
});

it.each([
  ["curl/8.5.0", "curl"],
  ["CURL/8.5.0", "curl"],
  ["Python/3.11 aiohttp/3.9.1", "aiohttp"],
  ["python-urllib3/2.2.1", "python-urllib3"],
  ["node", "Node.js"],
  ["Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4291", "PowerShell"],
  ["python-unheard-of/1.0", "Python"],
  ["Ktor client", "Ktor"],
  ["ktor-client", "Ktor"],
  ["Alamofire/5.8.1", "Alamofire"],
  ["Apache-HttpAsyncClient/4.1.3 (Java/1.8.0_121)", "Apache-HttpAsyncClient"],
  ["wget2/2.1.0", "wget2"],
  ["n8n", "n8n"],
  ["Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.1", "PowerShell"],
  ["curling", null],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0 curl/8", null],
])("names the library of %s", (userAgent, name) => {
  expect(libraryOf(userAgent)).toBe(name);
});
