import { expect, it } from "vitest";
import { parseRequestUrl } from "../../src/redirect/request-url.ts";

it.each([
  ["https://go.example./x", "https://go.example", ""],
  ["https://GO.example.:443/x", "https://go.example", ""],
  ["https://go.example/x", "https://go.example.", ""],
  ["http://localhost.:8787/x", "http://localhost:8787", ""],
  ["https://other.example./x", "https://go.example", "other.example"],
  ["https://go.example.:8443/x", "https://go.example", "go.example"],
])("reads the domain of %s, with the base URL %s, as %j", (url, baseUrl, domain) => {
  expect(parseRequestUrl(url, baseUrl)).toEqual({ domain, path: "x", query: "" });
});
