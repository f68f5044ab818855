import type { Link } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";
import { explainError } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { startBulkJob } from "./bulk-jobs.ts";
import { dropLinks, putLinks, refreshDeletedList, refreshLists, stopReadingLists } from "./cache.ts";
import { applyFields, fieldsOf, formerFields, type Change, type Fields } from "./changes.ts";
import { planSteps, sendDeletion, sendRestore, sendSteps, type Failure } from "./requests.ts";
import { toFilter, type LinksView } from "./view.ts";
import { MAX_BULK_LINKS } from "#src/links/limits.ts";

/** Changes links, shows the result at once, and offers to undo it. Many links become a bulk job. */
export async function changeLinks(links: readonly Link[], change: Change): Promise<void> {
  if (change.kind === "delete") return deleteLinks(links);
  const fields = new Map(
    links.flatMap((link): [Link, Fields][] => {
      const wanted = fieldsOf(change, link);
      return wanted === null ? [] : [[link, wanted]];
    }),
  );
  if (fields.size === 0) return showToast({ title: texts.linkList.changes.nothing });
  const former = new Map([...fields].map(([link, wanted]) => [link, formerFields(link, wanted)]));
  const [steps, undoSteps] = [planSteps(fields), planSteps(former)];
  if (steps === null || undoSteps === null)
    return changeByJob({ ids: links.map(({ id }) => id) }, change, links, texts.linkList.amount(links.length));

  await stopReadingLists();
  putLinks([...fields].map(([link, wanted]) => applyFields(link, wanted)));
  const { changed, failures } = await sendSteps(steps);
  putLinks([...changed, ...failures.map(({ link }) => link)]);
  const failed = new Set(failures.map(({ link }) => link));
  for (const link of failed) former.delete(link);
  report(texts.linkList.changes.done(change, changed.length), changed.length, failures, () => undoFields(former));
}

/** Changes all links of a view in a bulk job. */
export function changeMatches(
  view: LinksView,
  change: Change,
  { loaded, what }: { loaded: readonly Link[]; what: string },
): Promise<void> {
  return changeByJob({ filter: toFilter(view) }, change, loaded, what);
}

async function deleteLinks(links: readonly Link[]): Promise<void> {
  if (links.length > MAX_BULK_LINKS)
    return changeByJob(
      { ids: links.map(({ id }) => id) },
      { kind: "delete" },
      links,
      texts.linkList.amount(links.length),
    );
  await stopReadingLists();
  dropLinks(links.map(({ id }) => id));
  const failures = await sendDeletion(links);
  void refreshDeletedList();
  putLinks(failures.map(({ link }) => link));
  const failed = new Set(failures.map(({ link }) => link));
  const deleted = links.filter((link) => !failed.has(link));
  const done = texts.linkList.changes.done({ kind: "delete" }, deleted.length);
  report(done, deleted.length, failures, () => undoDeletion(deleted));
}

/** Restores links of the list of deleted ones, and offers to delete them again. Several links become a bulk job. */
export async function restoreLinks(links: readonly Link[]): Promise<void> {
  await stopReadingLists();
  dropLinks(links.map(({ id }) => id));
  const [only] = links;
  if (only === undefined || links.length > 1) {
    if (!(await startRestoringJob(links))) await refreshLists();
    return;
  }
  const restored = await sendRestore(only);
  if ("error" in restored) {
    void refreshLists();
    return reportUndo(0, [restored]);
  }
  putLinks([restored]);
  report(texts.linkList.changes.restored(1), 1, [], () => deleteLinks([restored]));
}

/** One request restores all links, also if the person closes the page, and the panel shows its progress. */
function startRestoringJob(links: readonly Link[]): Promise<boolean> {
  const label = texts.linkList.changes.restoring(texts.linkList.amount(links.length));
  return startShownJob({ ids: links.map(({ id }) => id) }, "restore", label);
}

async function changeByJob(
  target: { ids: string[] } | { filter: ReturnType<typeof toFilter> },
  change: Change,
  loaded: readonly Link[],
  what: string,
): Promise<void> {
  await stopReadingLists();
  if (change.kind === "delete") dropLinks(loaded.map(({ id }) => id));
  else putLinks(loaded.map((link) => applyFields(link, fieldsOf(change, link) ?? {})));
  const label = texts.linkList.changes.running(change, what);
  if (!(await startShownJob(target, change, label))) putLinks(loaded);
}

/** Starts a bulk job. Returns whether it was started, and says so if it was not. */
async function startShownJob(target: object, change: Change | "restore", label: string): Promise<boolean> {
  try {
    await startBulkJob(target, change, label);
    return true;
  } catch (error) {
    showToast({ kind: "problem", title: texts.linkList.changes.notStarted, text: explainError(error) });
    return false;
  }
}

async function undoFields(former: ReadonlyMap<Link, Fields>): Promise<void> {
  await stopReadingLists();
  putLinks([...former.keys()]);
  const { changed, failures } = await sendSteps(planSteps(former) ?? []);
  putLinks(changed);
  reportUndo(changed.length, failures);
}

/** Shows the links again at once, and takes back those that cannot be restored. */
async function undoDeletion(links: readonly Link[]): Promise<void> {
  await stopReadingLists();
  putLinks(links);
  const [only] = links;
  if (only === undefined || links.length > 1) {
    if (!(await startRestoringJob(links))) dropLinks(links.map(({ id }) => id));
    return;
  }
  const restored = await sendRestore(only);
  if ("error" in restored) {
    dropLinks([only.id]);
    return reportUndo(0, [restored]);
  }
  putLinks([restored]);
  reportUndo(1, []);
}

function report(done: string, changed: number, failures: readonly Failure[], undo: () => Promise<void>): void {
  const [failure] = failures;
  const action = { label: texts.ui.undo, run: () => void undo() };
  if (failure === undefined) return showToast({ title: done, action });
  showToast({
    kind: "problem",
    title: texts.linkList.changes.failed(failures.length),
    text: explainError(failure.error),
    ...(changed > 0 && { action }),
  });
}

function reportUndo(changed: number, failures: readonly Failure[]): void {
  const [failure] = failures;
  if (failure === undefined) return showToast({ title: texts.linkList.changes.undone(changed) });
  showToast({
    kind: "problem",
    title: texts.linkList.changes.failed(failures.length),
    text: explainError(failure.error),
  });
}
