/** D1 refuses a compound SELECT with more terms. */
const MAX_COMPOUND_TERMS = 5;

/** SQL for the rows of all these queries, in no order. */
export function unionAll(queries: readonly string[]): string {
  if (queries.length <= MAX_COMPOUND_TERMS) return queries.join(" UNION ALL ");
  const groups = Array.from({ length: Math.ceil(queries.length / MAX_COMPOUND_TERMS) }, (_, n) =>
    queries.slice(n * MAX_COMPOUND_TERMS, (n + 1) * MAX_COMPOUND_TERMS),
  );
  return unionAll(groups.map((group) => `SELECT * FROM (${group.join(" UNION ALL ")})`));
}
