import { expect, it } from "vitest";
import { isCrawler, libraryOf } from "../../src/visitor/crawler.ts";

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
  "python-requests/2.31 my-crawler",
  "http.rb/5.1.1 (Mastodon/4.2.8; +https://mastodon.example/)",
  "got/11.8.6 (Misskey)",
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
  ["curling", null],
  ["python-requests/2.31 my-crawler", null],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0 curl/8", null],
])("names the library of %s", (userAgent, name) => {
  expect(libraryOf(userAgent)).toBe(name);
});
