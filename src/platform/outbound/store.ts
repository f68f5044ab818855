/** Whether the host is a verified custom domain. `host` is in lower case and Punycode, without a trailing dot. */
export async function isVerifiedDomain(db: D1Database, host: string): Promise<boolean> {
  const found = await db
    .withSession("first-unconstrained")
    .prepare("SELECT 1 FROM domains WHERE domain = ?1 AND status = 'verified'")
    .bind(host)
    .first();
  return found !== null;
}
