import { useEffect, useId, useRef, useState, type RefObject } from "react";
import { useShortcut } from "../../lib/shortcuts.ts";
import { useSession } from "../../session.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Keys } from "../../ui/keys.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { hideToast, showToast } from "../../ui/toast.tsx";
import { ConflictNotice } from "./editor/conflict-notice.tsx";
import { faultsOf } from "./editor/errors.ts";
import { FormContext, useNewForm, type LinkForm, type Target } from "./editor/form.ts";
import { Groups } from "./editor/groups.tsx";
import { OTHER_SAVE_KEYS, SAVE_KEYS } from "./editor/keys.ts";
import { MainFields } from "./editor/main-fields.tsx";
import { Preview } from "./editor/preview.tsx";
import { useRefusalFocus } from "./editor/refusal-focus.ts";

const words = texts.editor;

/** Creates, changes or duplicates a link. What was typed is kept as a draft in this browser until it is saved. */
export function LinkEditor({ target, onClose }: { target: Target; onClose: () => void }) {
  const { can } = useSession();
  const form = useNewForm(target, onClose);
  const formId = useId();
  const formElement = useRef<HTMLFormElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const mayWrite = can("links:write");
  // Its button would delete the draft that the form shows again.
  useEffect(() => hideToast(DRAFT_TOAST), []);
  const submit = () => {
    if (mayWrite && !form.save.isPending && form.conflict === null) form.save.mutate();
  };
  const submitByKey = () => formElement.current?.requestSubmit();
  useShortcut(OTHER_SAVE_KEYS, { label: words.save, group: words.keysGroup, inDialogs: true }, submitByKey);
  useShortcut(SAVE_KEYS, { label: words.save, group: words.keysGroup, inDialogs: true }, submitByKey);
  const leave = () => {
    onClose();
    if (form.isChanged) announceDraft(form);
  };
  const tryToLeave = () => {
    // Passwords are in no draft.
    if (form.draft.password !== null && form.draft.password !== "") setLeaving(true);
    else leave();
  };
  return (
    <FormContext value={form}>
      <Dialog
        size="large"
        closesOutside={false}
        onClose={tryToLeave}
        title={titleOf(target)}
        footer={
          <>
            {mayWrite || <p className="me-auto text-sm text-soft">{words.readOnly}</p>}
            <Button onClick={tryToLeave}>{texts.ui.cancel}</Button>
            <Button
              kind="primary"
              type="submit"
              form={formId}
              busy={form.save.isPending}
              disabled={!mayWrite || form.conflict !== null}
            >
              {form.isNew ? words.create : words.save}
              <span aria-hidden>
                <Keys keys={form.isNew ? "↵" : SAVE_KEYS} />
              </span>
            </Button>
          </>
        }
      >
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <Form
            ref={formElement}
            id={formId}
            noValidate
            className="grid min-w-0 grid-cols-1 content-start gap-5"
            onSubmit={() => submit()}
          >
            <Notices form={form} fields={fields} />
            <div ref={fields} className="grid min-w-0 grid-cols-1 gap-5">
              <MainFields onClose={onClose} />
              <Groups />
            </div>
          </Form>
          <Preview />
        </div>
      </Dialog>
      {isLeaving && (
        <ConfirmDialog
          onClose={() => setLeaving(false)}
          title={words.leave.title}
          description={words.leave.text}
          action={words.leave.action}
          onConfirm={leave}
        />
      )}
    </FormContext>
  );
}

function titleOf(target: Target): string {
  if (target.kind === "edit") return words.title.edit(withoutScheme(target.link.shortUrl));
  return words.title[target.kind];
}

const DRAFT_TOAST = "draft";

function announceDraft(form: LinkForm): void {
  showToast({
    name: DRAFT_TOAST,
    title: words.draft.kept,
    text: words.draft.keptText,
    action: { label: words.draft.delete, run: form.forget },
  });
}

/** What the person should know before anything else: a draft, a conflict, an error that is about no field. */
function Notices({ form, fields }: { form: LinkForm; fields: RefObject<HTMLElement | null> }) {
  const { isRestored, isChanged, other, conflict, save } = form;
  const refusal = useRef<HTMLDivElement>(null);
  const isUnplaced = useRefusalFocus(fields, refusal, form);
  // An error about fields is shown at them, and is settled once the person has corrected them.
  const showsError = save.error !== null && conflict === null && (isUnplaced || faultsOf(save.error).length === 0);
  return (
    <>
      {/* The focus comes here when a save fails. */}
      <div ref={refusal} tabIndex={-1} className="rounded-card empty:-mb-5">
        {showsError && <ErrorNotice error={save.error} />}
        {conflict !== null && <ConflictNotice conflict={conflict} />}
      </div>
      {isRestored && isChanged && conflict === null && (
        <Notice
          className="py-3!"
          title={words.draft.restored}
          action={
            <Button size="small" onClick={form.startAgain}>
              {form.isNew ? words.draft.startAgain : words.draft.discard}
            </Button>
          }
        />
      )}
      {other !== null && (
        <Notice
          className="py-3!"
          title={words.draft.other}
          action={
            <Button size="small" onClick={form.continueOther}>
              {words.draft.continueOther}
            </Button>
          }
        />
      )}
    </>
  );
}
