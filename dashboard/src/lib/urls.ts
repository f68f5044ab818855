/** `go.example/spring` */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/^([^/?#]+)\/$/, "$1");
}

/** The host of a URL; the text itself if it is none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
