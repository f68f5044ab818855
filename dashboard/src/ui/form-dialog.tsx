import { useId } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { ErrorNotice } from "./notice.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps extends Omit<DialogProps, "footer" | "closesOutside"> {
  /** What the button does, such as "Create key". */
  action: string;
  danger?: boolean;
  /** The change is on its way. Until it ends, the form cannot be submitted again. */
  busy?: boolean;
  /** Why it failed, unless a field shows it. */
  error?: Error | null;
  /** True: what is entered cannot be submitted. */
  disabled?: boolean;
  /** True: the browser does not check the fields. `onSubmit` does. */
  noValidate?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
}

/** A dialog whose fields are submitted together. A click beside it keeps it open, with what was entered. */
export function FormDialog({
  children,
  onClose,
  action,
  danger = false,
  busy = false,
  error = null,
  disabled = false,
  noValidate = false,
  onSubmit,
  ...dialog
}: FormDialogProps) {
  const form = useId();
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
          if (!busy) onSubmit(form);
        }}
      >
        {children}
        {error !== null && <ErrorNotice error={error} />}
      </Form>
    </Dialog>
  );
}
