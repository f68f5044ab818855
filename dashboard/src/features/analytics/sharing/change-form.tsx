import { useState } from "react";
import { MAX_TITLE_CHARS } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Form } from "#dashboard/ui/form.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { explainError, fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { useSharedPageChanges, type SharedPage } from "./queries.ts";
import { MIN_PASSWORD_CHARS } from "#src/links/limits.ts";

const { page: words, dialog } = texts.shared;

/** Changes the title or the password of a shared page. */
export function ChangeForm({
  page,
  field,
  onDone,
}: {
  page: SharedPage;
  field: "title" | "password";
  onDone: () => void;
}) {
  const { update } = useSharedPageChanges();
  const isTitle = field === "title";
  const [input, setInput] = useState(isTitle ? (page.title ?? "") : "");
  const save = () => {
    const { id, title: former } = page;
    update.mutate(
      { id, body: isTitle ? { title: input.trim() === "" ? null : input.trim() } : { password: input } },
      {
        onSuccess: () => {
          if (isTitle) showChange(words.renamed, () => update.mutateAsync({ id, body: { title: former } }));
          else showChange(words.passwordSet);
          onDone();
        },
      },
    );
  };
  const { error } = update;
  return (
    <Form className="mt-3 grid gap-3 border-t border-line pt-3" onSubmit={() => save()}>
      <InputField
        label={isTitle ? dialog.pageTitle : words.newPassword}
        hint={isTitle ? dialog.pageTitleHint : dialog.passwordHint(MIN_PASSWORD_CHARS)}
        error={error === null ? undefined : (fieldError(error, field) ?? explainError(error))}
        autoFocus="always"
        type={isTitle ? "text" : "password"}
        autoComplete={isTitle ? "off" : "new-password"}
        {...(isTitle && { maxLength: MAX_TITLE_CHARS })}
        value={input}
        onValue={setInput}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" busy={update.isPending} disabled={!isTitle && input === ""}>
          {isTitle ? words.saveTitle : words.save}
        </Button>
        <Button size="small" onClick={onDone}>
          {texts.ui.cancel}
        </Button>
      </div>
    </Form>
  );
}
