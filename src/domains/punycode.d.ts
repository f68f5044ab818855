// Not "punycode", which some runtimes have of their own.
declare module "punycode/punycode.es6.js" {
  /** A domain name with its Punycode labels in Unicode. */
  export function toUnicode(domain: string): string;
}
