import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_TITLE_CHARS } from "#src/limits.ts";
import { tagsQuery } from "#dashboard/api/resources.ts";
import { copyText } from "#dashboard/lib/clipboard.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Form } from "#dashboard/ui/form.tsx";
import { Checkbox, InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { ErrorNotice, fieldError } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import type { Subject } from "../source.ts";
import { useView } from "../use-view.ts";
import { onlyTag } from "../view.ts";
import { useSharedPageChanges } from "./queries.ts";
import { MIN_PASSWORD_CHARS } from "#src/links/limits.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "#src/clicks/shared-pages/limits.ts";

const { dialog } = texts.shared;
const EMPTY = { title: "", password: "", showDestination: false };

/** Makes a shared page, and copies its URL. */
export function CreateForm({ subject, shared }: { subject: Subject; shared: number }) {
  const { create } = useSharedPageChanges();
  const [input, setInput] = useState(EMPTY);
  const { data: tags } = useQuery({ ...tagsQuery(), enabled: subject.kind === "account" });
  const [view] = useView();
  const [tag, setTag] = useState(() => onlyTag(view) ?? "");
  const set = (changes: Partial<typeof EMPTY>) => setInput((before) => ({ ...before, ...changes }));
  if (subject.kind === "account" && tags?.length === 0) return <p className="text-soft">{dialog.noTags}</p>;
  const isFull = shared >= MAX_SHARED_PAGES_PER_ACCOUNT;
  const share = async () => {
    const { title, password, showDestination } = input;
    const { sharedPage } = await create.mutateAsync({
      ...(subject.kind === "link" ? { linkId: subject.link.id, showDestination } : { tag }),
      ...(title.trim() !== "" && { title: title.trim() }),
      ...(password !== "" && { password }),
    });
    setInput(EMPTY);
    const isCopied = await copyText(sharedPage.url);
    showToast({ title: isCopied ? dialog.created : dialog.createdUncopied });
  };
  const { error } = create;
  const isField = ["title", "password", "tag"].some((name) => fieldError(error, name) !== undefined);
  return (
    <Form className="grid gap-4 sm:grid-cols-2" onSubmit={() => void share().catch(() => undefined)}>
      {subject.kind === "account" && (
        <SelectField
          label={dialog.tag}
          error={fieldError(error, "tag")}
          className="sm:col-span-2"
          required
          value={tag}
          onValue={setTag}
        >
          <option value="">{dialog.chooseTag}</option>
          <Options values={(tags ?? []).map(({ name }) => name)} />
        </SelectField>
      )}
      <InputField
        label={dialog.pageTitle}
        hint={dialog.pageTitleHint}
        error={fieldError(error, "title")}
        dir="auto"
        maxLength={MAX_TITLE_CHARS}
        autoComplete="off"
        value={input.title}
        onValue={(value) => set({ title: value })}
      />
      <InputField
        label={dialog.password}
        hint={dialog.passwordHint(MIN_PASSWORD_CHARS)}
        error={fieldError(error, "password")}
        type="password"
        autoComplete="new-password"
        value={input.password}
        onValue={(value) => set({ password: value })}
      />
      {subject.kind === "link" && (
        <Checkbox
          label={dialog.showDestination}
          checked={input.showDestination}
          onChange={(event) => set({ showDestination: event.target.checked })}
          className="sm:col-span-2"
        />
      )}
      {(subject.kind === "link" || tag !== "") && (
        <p className="text-sm text-soft sm:col-span-2">
          {subject.kind === "link" ? dialog.publishesLink : dialog.publishesTag(tag)} {dialog.publishesAll}
        </p>
      )}
      {error !== null && !isField && <ErrorNotice error={error} className="sm:col-span-2" />}
      <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
        <Button type="submit" kind="primary" busy={create.isPending} disabled={isFull}>
          {dialog.create}
        </Button>
        {isFull && <span className="text-sm text-soft">{dialog.full(MAX_SHARED_PAGES_PER_ACCOUNT)}</span>}
      </div>
    </Form>
  );
}
