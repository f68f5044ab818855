import { Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { rolesWith } from "#src/platform/auth/roles.ts";
import { MAX_TAG_CHARS } from "#src/limits.ts";
import type { Job } from "#src/links/tags/job-contract.ts";
import type { Tag } from "#dashboard/api/types.ts";
import { usePaused } from "#dashboard/lib/paused.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { InputField } from "#dashboard/ui/field.tsx";
import { Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { ListOf, OnlyRoles, SettingsHeader } from "../frame.tsx";
import { finish, startRename, useTags } from "./queries.ts";
import { RemovalDialog, RenameDialog, type StartedChange } from "./tag-dialogs.tsx";
import { TagRow } from "./tag-row.tsx";

const TYPING_PAUSE_MS = 200;
const words = texts.tagList;

/** The tags of the account: their colours, their numbers of links, and changes on all links at once. */
export function TagSettings() {
  const { can } = useSession();
  const [text, setText] = useState("");
  const prefix = usePaused(text.trim(), TYPING_PAUSE_MS);
  const list = useTags(prefix);
  const [dialog, setDialog] = useState<{ kind: "rename" | "remove"; tag: Tag } | null>(null);
  const { jobs, follow } = useJobs();
  const mayChange = can("links:write");
  const close = () => setDialog(null);
  return (
    <>
      <SettingsHeader title={texts.settings.sections.tags} lead={words.lead} />
      {!mayChange && <OnlyRoles roles={rolesWith("links:write")} />}
      <InputField
        label={texts.linkList.tagPicker.search}
        hideLabel
        className="mb-3 max-w-sm"
        type="search"
        placeholder={texts.linkList.tagPicker.search}
        maxLength={MAX_TAG_CHARS}
        value={text}
        onValue={setText}
      />
      <ListOf list={list} empty={prefix === "" ? <NoTags /> : <p>{texts.linkList.tagPicker.noMatch}</p>}>
        {(tags) => (
          <Card>
            <ul className="divide-y divide-line">
              {tags.map((tag) => (
                <TagRow
                  key={tag.name}
                  tag={tag}
                  mayChange={mayChange}
                  job={jobs.get(tag.name)}
                  onRename={() => setDialog({ kind: "rename", tag })}
                  onRemove={() => setDialog({ kind: "remove", tag })}
                />
              ))}
            </ul>
          </Card>
        )}
      </ListOf>
      {dialog?.kind === "rename" && (
        <RenameDialog tag={dialog.tag} onClose={close} onStart={(change) => void follow(dialog.tag, change)} />
      )}
      {dialog?.kind === "remove" && (
        <RemovalDialog tag={dialog.tag} onClose={close} onStart={(change) => void follow(dialog.tag, change)} />
      )}
    </>
  );
}

/** The jobs that this page waits for, by the name of their tag. They go on if the person leaves the page. */
function useJobs() {
  const [jobs, setJobs] = useState<ReadonlyMap<string, Job>>(new Map());
  const follow = async ({ name }: Tag, { job, into }: StartedChange) => {
    const show = (shown: Job | undefined) =>
      setJobs((before) => {
        const after = new Map(before);
        if (shown === undefined) after.delete(name);
        else after.set(name, shown);
        return after;
      });
    try {
      const ended = await finish(job, show);
      showEnd(name, ended, into);
    } catch (error) {
      showProblem(error);
    }
    show(undefined);
  };
  return { jobs, follow };
}

/** A renaming can be undone. After a merge or a deletion, nobody knows which links had the tag. */
function showEnd(tag: string, { input: { name }, done }: Job, into: Tag | undefined): void {
  if (name === null) showChange(words.removed(tag, done));
  else if (into !== undefined) showChange(words.merged(tag, into.name, done));
  else showChange(words.renamed(tag, name), async () => finish(await startRename(name, tag), () => undefined));
}

function NoTags() {
  return (
    <Card>
      <EmptyState icon={<TagIcon aria-hidden />} title={words.empty.title} text={words.empty.text} />
    </Card>
  );
}
