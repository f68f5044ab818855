import type { DatabaseSync } from "node:sqlite";
import { LIST_OBJECTS, normalize, type SchemaObject } from "../../../../tools/scripts/schema.ts";

/** Why the code that works with `before` may not work with `after`. */
export function problemsOf(before: DatabaseSync, after: DatabaseSync): string[] {
  const [old, now] = [before, after].map(objectsOf) as [Map<string, string>, Map<string, string>];
  const tables = [...old].filter(([, sql]) => sql.startsWith("CREATE TABLE ")).map(([name]) => name);
  return [
    ...[...old].flatMap(([name, sql]) => changesOf(name, sql, now.get(name))),
    ...[...now].filter(([name]) => !old.has(name)).flatMap(([name, sql]) => restrictionOf(name, sql, tables)),
  ];
}

function objectsOf(database: DatabaseSync): Map<string, string> {
  const objects = database.prepare(LIST_OBJECTS).all() as unknown as SchemaObject[];
  return new Map(objects.map(({ name, sql }) => [name, normalize(sql)]));
}

/** An index may be named by a statement (INDEXED BY), and code relies on what triggers do. */
function changesOf(name: string, old: string, now: string | undefined): string[] {
  if (now === undefined) return [`${name} is gone`];
  if (now === old) return [];
  const added = old.startsWith("CREATE TABLE ") ? addedTo(old.split(" "), now.split(" ")) : null;
  if (added === null) return [`${name} differs`];
  return added.filter((column) => !isHarmless(column)).map((column) => `${name} demands more: ${column}`);
}

/** The columns that were added at one place; null: something else was changed too. */
function addedTo(old: string[], now: string[]): string[] | null {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  const end = now.length - (old.length - start);
  if (end < start || old.slice(start).some((token, n) => token !== now[end + n])) return null;
  const columns = now.slice(start, end).join(" ");
  return columns.split(/ ?, (?=[a-z_]+ [A-Z]+\b)| ,$/).filter(Boolean);
}

/** Whether rows can be written without the column, and whatever it has. */
function isHarmless(column: string): boolean {
  const [name = ""] = column.split(" ");
  const own = column.replace(new RegExp(`CHECK \\( ${name} IN \\( [^()]* \\) \\)`), "");
  if (/\b(PRIMARY|UNIQUE|CHECK)\b/.test(own)) return false;
  return !own.includes("NOT NULL") || /\b(DEFAULT|GENERATED)\b/.test(own);
}

/** What is new on a table that older code writes. */
function restrictionOf(name: string, sql: string, tables: string[]): string[] {
  const isOnOld = tables.some((table) => sql.includes(` ON ${table} `));
  const restricts =
    sql.startsWith("CREATE UNIQUE INDEX") || (sql.startsWith("CREATE TRIGGER") && /\bRAISE\b/.test(sql));
  return isOnOld && restricts ? [`${name} forbids what was allowed`] : [];
}
