import { join } from "node:path";
import { expect, test } from "vitest";
import { writeBackup } from "../../../../tools/scripts/backup.ts";
import { checkBackup } from "../../../../tools/scripts/backup/file.ts";
import { restoreBackup } from "../../../../tools/scripts/backup/restore-backup.ts";
import { newId } from "../../../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../../../src/links/store/sequence.ts";
import { BACKUP_PAGE_ROWS } from "../../../../tools/scripts/limits.ts";
import { temporaryFolder } from "../support/command.ts";
import { installationWith, newDatabase, schemaWithMore } from "./support.ts";

// A model of a service at work: between all transactions of the backup, links are created, renamed and deleted, so that
// slugs move from one link to another. The lists say which forms each link ever had.

const START = 1_900_000_000_000;
const LINKS = 2 * BACKUP_PAGE_ROWS + 100;
const CHANGES_BETWEEN = 4;

/** A generator of numbers from 0 to `below - 1` that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Model {
  readonly db: D1Database;
  now = START;
  /** The links that exist. */
  readonly alive = new Map<string, string>();
  /** Every form that a link ever had: its slug and aliases. */
  readonly forms = new Map<string, Set<string>>();
  readonly deleted = new Set<string>();
  readonly #random: (below: number) => number;
  #accounts = 0;
  #slugs = 0;

  constructor(db: D1Database, seed: number) {
    this.db = db;
    this.#random = numbers(seed);
  }

  async addAccount(): Promise<number> {
    const id = ++this.#accounts;
    await this.db
      .prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (?, ?, 'A', 0)")
      .bind(id, newId(this.now))
      .run();
    return id;
  }

  /** Adds many links of account 1 with one statement. */
  async addLinks(count: number): Promise<void> {
    const links = Array.from({ length: count }, () => {
      const id = newId(++this.now);
      return [sequenceOf(id), id, `slug${this.#slugs++}`];
    });
    await this.db
      .prepare(
        `INSERT INTO links (seq, id, account_id, domain, slug, url, tags, status, redirect_status, created_at, updated_at)
         SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, 1, '', value ->> 2, 'https://example.com/', NULL, 'active', 302, ?2, ?2
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(links), this.now)
      .run();
    for (const [id, form] of await formsIn(this.db)) {
      this.alive.set(id, form.split(":")[0] ?? "");
      this.forms.set(id, new Set([form]));
    }
  }

  async addLink(accountId: number, slug = `slug${this.#slugs++}`): Promise<void> {
    const id = newId(++this.now);
    const seq = sequenceOf(id);
    await this.#change(id, seq, slug, [
      this.db
        .prepare(
          `INSERT INTO links (seq, id, account_id, domain, slug, url, tags, status, redirect_status, created_at, updated_at)
           VALUES (CAST(?1 AS INTEGER), ?2, ?3, '', ?4, 'https://example.com/', NULL, 'active', 302, ?5, ?5)`,
        )
        .bind(seq, id, accountId, slug, this.now),
    ]);
  }

  /** One to three of the things that a service does. */
  async step(): Promise<void> {
    const links = [...this.alive];
    const [id, slug] = links[this.#random(links.length)] ?? ["", ""];
    const other = links[this.#random(links.length)] ?? ["", ""];
    switch (this.#random(5)) {
      case 0:
        return this.addLink(1 + this.#random(this.#accounts));
      case 1:
        return this.addLink(await this.addAccount());
      case 2: {
        // The slug is free at once for another link, which comes later in the order of keys, or earlier.
        await this.#delete(id);
        return this.#random(2) === 0 ? this.addLink(1, slug) : this.#rename(other, id, slug);
      }
      case 3: {
        const [otherId, otherSlug] = other;
        await this.#rename([id, slug], otherId, `slug${this.#slugs++}`);
        return otherId === id ? undefined : this.#rename([otherId, otherSlug], id, slug);
      }
      default:
        // Its former slug becomes an alias.
        return this.#rename([id, slug], "", `slug${this.#slugs++}`, slug);
    }
  }

  async #rename([id]: [string, string], not: string, slug: string, alias?: string): Promise<void> {
    if (id === not || !this.alive.has(id)) return;
    const seq = sequenceOf(id);
    this.now++;
    await this.#change(id, seq, slug, [
      this.db.prepare("DELETE FROM test_aliases WHERE slug = ?").bind(slug),
      this.db
        .prepare("UPDATE links SET slug = ?, updated_at = ? WHERE seq = CAST(? AS INTEGER)")
        .bind(slug, this.now, seq),
      ...(alias === undefined
        ? []
        : [this.db.prepare("INSERT INTO test_aliases VALUES ('', ?, CAST(? AS INTEGER))").bind(alias, seq)]),
    ]);
  }

  async #delete(id: string): Promise<void> {
    const seq = sequenceOf(id);
    await this.db.batch([
      this.db
        .prepare(
          `INSERT INTO deleted_links (seq, id, account_id, deleted_at, link)
           SELECT seq, id, account_id, 0, json_object('domain', domain, 'slug', slug) FROM links WHERE seq = CAST(? AS INTEGER)`,
        )
        .bind(seq),
      this.db.prepare("DELETE FROM test_aliases WHERE link_seq = CAST(? AS INTEGER)").bind(seq),
      this.db.prepare("DELETE FROM links WHERE seq = CAST(? AS INTEGER)").bind(seq),
    ]);
    this.alive.delete(id);
    this.deleted.add(id);
  }

  async #change(id: string, seq: string, slug: string, statements: D1PreparedStatement[]): Promise<void> {
    const results = await this.db.batch<FormRow>([...statements, this.db.prepare(`${FORMS} WHERE seq = ${seq}`)]);
    this.alive.set(id, slug);
    const forms = this.forms.get(id) ?? new Set();
    for (const row of results.at(-1)?.results ?? []) this.forms.set(id, forms.add(formOf(row)));
  }
}

interface FormRow {
  id: string;
  slug: string;
  aliases: string | null;
}

const FORMS = `SELECT id, slug,
  (SELECT group_concat(slug) FROM (SELECT slug FROM test_aliases WHERE link_seq = l.seq ORDER BY slug)) AS aliases
  FROM links AS l`;

/** The slug and the aliases of a link. */
function formOf({ slug, aliases }: FormRow): string {
  return `${slug}: ${aliases ?? ""}`;
}

async function formsIn(db: D1Database): Promise<Map<string, string>> {
  const { results } = await db.prepare(FORMS).all<FormRow>();
  return new Map(results.map((row) => [row.id, formOf(row)]));
}

test.each([1, 2])("a backup of a service at work has each link as it was at one moment (%i)", async (seed) => {
  const schema = schemaWithMore();
  const model = new Model(await newDatabase(schema), seed);
  await model.addAccount();
  await model.addLinks(LINKS);
  const existing = new Set(model.alive.keys());
  let isRunning = false;
  const between = async () => {
    for (let n = 0; n < (isRunning ? CHANGES_BETWEEN : 0); n++) await model.step();
  };
  model.now += 3_600_000;

  const file = join(temporaryFolder(), "backup.gz");
  isRunning = true;
  await writeBackup(installationWith(model.db, { now: () => model.now, between }), file, schema);
  isRunning = false;
  const restored = await newDatabase(schema);
  await restoreBackup(installationWith(restored), file, await checkBackup(file), { withClicks: true }, schema);

  const forms = await formsIn(restored);
  for (const [id, form] of forms) expect(model.forms.get(id), id).toContain(form);
  // A link that was there from the beginning to the end is in the backup.
  expect([...existing].filter((id) => model.alive.has(id) && !forms.has(id))).toEqual([]);
  expect(model.deleted.size).toBeGreaterThan(0);
  const { results: orphans } = await restored.prepare("PRAGMA foreign_key_check").all();
  expect(orphans).toEqual([]);
  const both = "SELECT seq FROM links JOIN deleted_links USING (seq)";
  expect((await restored.prepare(both).all()).results).toEqual([]);
  // Throws if the search index differs from the links.
  await restored.prepare("INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)").run();
});
