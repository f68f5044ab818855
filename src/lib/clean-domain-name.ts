/** The name in what people give as a domain: without spaces around it, and without what a browser's address adds to it. */
export function cleanDomainName(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
}
