import { TernError, type Link, type Tern } from "@tern/sdk";

export interface Deletion extends Pick<Link, "id" | "shortUrl"> {
  deleted: boolean;
  /** Why not, in the words of the API. */
  error?: string;
  code?: string;
}

/**
 * Deletes links one after another. Goes on behind a link that does not exist any more. After any other failure it deletes
 * none of the following links, and yields the failure for each of them.
 */
export async function* deleteEach(client: Tern, links: Link[]): AsyncGenerator<Deletion, void, undefined> {
  let failure: TernError | undefined;
  for (const { id, shortUrl } of links) {
    if (failure === undefined || failure.status === 404) failure = await tryDelete(client, id);
    yield failure === undefined
      ? { id, shortUrl, deleted: true }
      : { id, shortUrl, deleted: false, error: failure.message, code: failure.code };
  }
}

async function tryDelete(client: Tern, id: string): Promise<TernError | undefined> {
  try {
    await client.links.delete(id);
    return undefined;
  } catch (error) {
    if (error instanceof TernError) return error;
    throw error;
  }
}
