// With this path, because some runtimes have a built-in module "punycode".
declare module "punycode/punycode.es6.js" {
  /** A domain name with its Punycode labels in Unicode. */
  export function toUnicode(domain: string): string;
}
