let lastNumber = 0;

/** Inserts links with the tag `common`, created a millisecond apart. Faster than through the API. */
export async function insertManyLinks(
  db: D1Database,
  accountId: number | null,
  count: number,
  status = "active",
): Promise<void> {
  const first = lastNumber + 1;
  lastNumber += count;
  // Real ids have random bits in the low 21 bits of `seq`. Here they are zero, and the id matches.
  await db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
       inserted (i, at) AS (SELECT i, 1700000000000 + i FROM n)
       INSERT INTO links (seq, id, account_id, domain, slug, url, title, tags, tag_keys, status, redirect_status, created_at, updated_at)
       SELECT at << 21, printf('%08x-%04x-7000-8000-000000000000', at >> 16, at & 65535), ?3, '', 'many-' || i,
         'https://example.com/page/' || i, 'Page ' || i, json_array('common'), json_array(char(127) || 'common' || char(127)), ?4, 302, at, at FROM inserted`,
    )
    .bind(first, lastNumber, accountId, status)
    .run();
}
