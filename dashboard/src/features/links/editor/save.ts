import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import type { CreateLink, Link, UpdateLink } from "#dashboard/api/types.ts";
import { copyLater } from "#dashboard/lib/clipboard.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { explainError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { dropLinks, putLinks } from "../cache.ts";
import { SAME_DESTINATION } from "./queries.ts";

/** Shows the link as it is now on all pages, and forgets what depended on its former state. */
function show(link: Link): void {
  putLinks([link]);
  forgetChecks();
}

function forgetChecks(): void {
  for (const queryKey of [["slugs"], ["tags"], SAME_DESTINATION]) void queryClient.invalidateQueries({ queryKey });
}

/** Creates the link and copies its short URL. To be called in the event handler itself. */
export async function createLink(
  request: CreateLink,
  idempotencyKey: string,
): Promise<{ link: Link; isCopied: boolean }> {
  const created = call<{ link: Link }>("POST", "/api/links", {
    body: request,
    headers: { "Idempotency-Key": idempotencyKey },
  });
  const copied = copyLater(
    "text/plain",
    created.then(({ link }) => link.shortUrl),
  );
  const { link } = await created;
  show(link);
  return { link, isCopied: await copied };
}

/** Throws a 412 if the link is no longer as in `version`. */
export async function updateLink(id: string, request: UpdateLink, version: number): Promise<Link> {
  const { link } = await call<{ link: Link }>("PATCH", `/api/links/${id}`, {
    body: request,
    headers: { "If-Match": `"${version}"` },
  });
  show(link);
  return link;
}

export function announceCreated(link: Link, isCopied: boolean, onUndone: () => void): void {
  const { created } = texts.editor;
  showToast({
    title: created.title(withoutScheme(link.shortUrl)),
    text: isCopied ? created.copied : created.notCopied,
    action: { label: texts.ui.undo, run: () => void undoCreation(link, onUndone) },
  });
}

async function undoCreation({ id, shortUrl }: Link, onUndone: () => void): Promise<void> {
  await undo(async () => {
    await call("DELETE", `/api/links/${id}`);
    dropLinks([id]);
    forgetChecks();
    onUndone();
    return texts.editor.created.undone(withoutScheme(shortUrl));
  });
}

/** `former` brings the former values back, except for those that are lost; null: nothing can. */
export function announceUpdated(
  link: Link,
  former: UpdateLink | null,
  lost: { password: boolean; aliases: boolean },
): void {
  const { updated } = texts.editor;
  const stays = [...(lost.password ? [updated.passwordStays] : []), ...(lost.aliases ? [updated.aliasesStay] : [])];
  showToast({
    title: updated.title(withoutScheme(link.shortUrl)),
    ...(stays.length > 0 && { text: stays.join(" ") }),
    ...(former !== null && {
      action: {
        label: texts.ui.undo,
        run: () =>
          void undo(async () => {
            await updateLink(link.id, former, link.updatedAt);
            return updated.undone(withoutScheme(link.shortUrl));
          }),
      },
    }),
  });
}

async function undo(change: () => Promise<string>): Promise<void> {
  try {
    const title = await change();
    showToast({ title });
  } catch (error) {
    showToast({ kind: "problem", title: texts.editor.undoFailed, text: explainError(error) });
  }
}
