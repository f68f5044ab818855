/** The key in the directory of a link at the service domain or at `ANONYMOUS_HOST`. */
export function directoryKeyOf(domain: string, slugKey: string): string {
  return domain === "" ? slugKey : `${domain}/${slugKey}`;
}

/** The same in SQL. The arguments are SQL too. */
export function directoryKeySql(domain: string, slugKey: string): string {
  return `iif(${domain} = '', ${slugKey}, ${domain} || '/' || ${slugKey})`;
}
