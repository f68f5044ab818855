import { DurableObject } from "cloudflare:workers";
import type { ExportRequest, ExportState, FilePart, StartOutcome } from "./export.ts";

/**
 * Writes and keeps exported files of one account: those of all its data, or those of links, clicks and QR codes. The code is loaded with the first call: this module is a part of
 * every isolate's start.
 */
export class Exporter extends DurableObject<Env> {
  readonly #jobs = import("./export-jobs.ts").then(({ ExportJobs }) => new ExportJobs(this.ctx, this.env));

  async start(request: ExportRequest): Promise<StartOutcome> {
    return (await this.#jobs).start(request);
  }

  /** null: there is no such export, or it has expired. */
  async find(id: string): Promise<ExportState | null> {
    return (await this.#jobs).find(id);
  }

  /** The exports that have not expired, the newest first. */
  async list(): Promise<ExportState[]> {
    return (await this.#jobs).list();
  }

  /** A part of a complete file, from `next` of the part before it; null: the file was deleted. */
  async read(id: string, from: FilePart["next"]): Promise<FilePart | null> {
    return (await this.#jobs).read(id, from);
  }

  /** Ends all exports and deletes their files. */
  async deleteAll(): Promise<void> {
    await (await this.#jobs).deleteAll();
  }

  override async alarm(): Promise<void> {
    await (await this.#jobs).run();
  }
}
