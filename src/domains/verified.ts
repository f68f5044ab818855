/** Whether a custom domain of the service is at this host: lower case, Punycode, no dot at the end. */
export async function isVerifiedDomain(db: D1Database, host: string): Promise<boolean> {
  const found = await db
    .withSession("first-unconstrained")
    .prepare("SELECT 1 FROM domains WHERE domain = ?1 AND status = 'verified'")
    .bind(host)
    .first();
  return found !== null;
}
