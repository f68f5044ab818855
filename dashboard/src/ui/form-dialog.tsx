import { useId } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import type { DialogProps } from "./open-dialog.tsx";
import { ErrorNotice } from "./notice.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps extends Omit<DialogProps, "footer" | "closesOutside"> {
  /** What the button does, such as "Create key". */
  action: string;
  danger?: boolean;
  /** What the form does. Until it ends, the form cannot be submitted again. */
  save?: { mutate: () => void; isPending: boolean; error: Error | null };
  /** Replaces the error of `save`, such as by null where a field shows it. */
  error?: Error | null;
  /** True: what is entered cannot be submitted. */
  disabled?: boolean;
  /** True: the browser does not check the fields. `onSubmit` does. */
  noValidate?: boolean;
  /** Replaces `save.mutate`, such as to check the fields first. */
  onSubmit?: (form: HTMLFormElement) => void;
}

/** A dialog whose fields are submitted together. A click beside it keeps it open, with what was entered. */
export function FormDialog({
  children,
  onClose,
  action,
  danger = false,
  save,
  error = save?.error,
  disabled = false,
  noValidate = false,
  onSubmit,
  ...dialog
}: FormDialogProps) {
  const form = useId();
  const busy = save?.isPending === true;
  return (
    <Dialog
      onClose={onClose}
      closesOutside={false}
      {...dialog}
      footer={
        <>
          <Button onClick={onClose}>{texts.ui.cancel}</Button>
          <Button type="submit" form={form} kind={danger ? "danger" : "primary"} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className="grid gap-4"
        noValidate={noValidate}
        onSubmit={(form) => {
          if (busy) return;
          if (onSubmit === undefined) save?.mutate();
          else onSubmit(form);
        }}
      >
        {children}
        {error && <ErrorNotice error={error} />}
      </Form>
    </Dialog>
  );
}
