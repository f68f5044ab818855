import { ApiError, call, inPlainWords } from "../../api/client.ts";
import { type ErrorBody } from "../../api/error-body.ts";
import type { Link } from "../../api/types.ts";
import type { Fields } from "./changes.ts";
import { MAX_BULK_LINKS } from "#src/links/limits.ts";

/** The same fields for some links. */
interface Step {
  links: readonly Link[];
  fields: Fields;
}

export interface Failure {
  link: Link;
  error: ApiError;
}

interface Changed {
  changed: Link[];
  failures: Failure[];
}

/** A change that needs more requests becomes a bulk job: a session may send 60 changes a minute. */
const MAX_REQUESTS = 10;

/** Groups the links by their fields; null if that takes too many requests. */
export function planSteps(fieldsByLink: ReadonlyMap<Link, Fields>): Step[] | null {
  const groups = Map.groupBy(fieldsByLink, ([link, fields]) =>
    // The domain is not among the fields that several links can be given at once.
    fields.domain === undefined ? JSON.stringify(fields) : link.id,
  );
  const steps = [...groups.values()].flatMap((group) => {
    const [, fields] = group[0] ?? [];
    return fields === undefined ? [] : [{ links: group.map(([link]) => link), fields }];
  });
  const isSmall = steps.length <= MAX_REQUESTS && fieldsByLink.size <= MAX_BULK_LINKS;
  return isSmall ? steps : null;
}

let last: Promise<unknown> = Promise.resolve();

/** Sends the change after all earlier ones: a link that is still being restored cannot be changed. */
function inTurn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const sent = last.then(send);
  last = sent.catch(() => undefined);
  return sent;
}

/** Changes the links of all steps. Returns them as they are now, and those that were not changed. */
export const sendSteps = (steps: readonly Step[]): Promise<Changed> => inTurn(() => changeAll(steps));

async function changeAll(steps: readonly Step[]): Promise<Changed> {
  const changed: Link[] = [];
  const failures: Failure[] = [];
  for (const { links, fields } of steps) {
    const results = await sendStep(links, fields);
    links.forEach((link, index) => {
      const result = results[index];
      if (result === undefined) return;
      if (result instanceof ApiError) failures.push({ link, error: result });
      else changed.push(result);
    });
  }
  return { changed, failures };
}

async function sendStep(links: readonly Link[], fields: Fields): Promise<(Link | ApiError)[]> {
  const [only] = links;
  try {
    if (links.length === 1 && only !== undefined) {
      const { link } = await call<{ link: Link }>("PATCH", `/api/links/${only.id}`, { body: fields });
      return [link];
    }
    const { results } = await call<{ results: ({ link: Link } | ErrorBody)[] }>("PATCH", "/api/links/bulk", {
      body: { ids: links.map(({ id }) => id), changes: fields },
    });
    return await Promise.all(results.map(async (result) => ("link" in result ? result.link : toError(result))));
  } catch (error) {
    return links.map(() => asApiError(error));
  }
}

/** Deletes up to 100 links. Returns those that were not deleted. */
export const sendDeletion = (links: readonly Link[]): Promise<Failure[]> => inTurn(() => deleteAll(links));

async function deleteAll(links: readonly Link[]): Promise<Failure[]> {
  const [only] = links;
  try {
    if (links.length === 1 && only !== undefined) {
      await call("DELETE", `/api/links/${only.id}`);
      return [];
    }
    const { results } = await call<{ results: ({ success: true } | ErrorBody)[] }>("DELETE", "/api/links/bulk", {
      body: { ids: links.map(({ id }) => id) },
    });
    const failures = links.map(async (link, index) => {
      const result = results[index];
      return result === undefined || "success" in result ? [] : [{ link, error: await toError(result) }];
    });
    return (await Promise.all(failures)).flat();
  } catch (error) {
    return links.map((link) => ({ link, error: asApiError(error) }));
  }
}

/** Restores a deleted link. Returns why it was not restored, if it was not. */
export const sendRestore = (link: Link): Promise<Link | Failure> => inTurn(() => restore(link));

async function restore(link: Link): Promise<Link | Failure> {
  try {
    return (await call<{ link: Link }>("POST", `/api/links/${link.id}/restore`)).link;
  } catch (error) {
    return { link, error: asApiError(error) };
  }
}

async function toError(result: ErrorBody): Promise<ApiError> {
  return new ApiError(400, await inPlainWords(result), null);
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
