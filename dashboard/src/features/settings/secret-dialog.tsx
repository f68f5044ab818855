import { useState, type ReactNode } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { CodeBlock } from "./code-block.tsx";

interface SecretDialogProps {
  title: string;
  text: string;
  /** What the secret is. */
  label: string;
  secret: string;
  onClose: () => void;
  /** What to do with the secret. */
  children?: ReactNode;
}

/** Shows a secret for the only time. It closes once the person says that the secret is stored. */
export function SecretDialog({ title, text, label, secret, onClose, children }: SecretDialogProps) {
  const { stored, storeFirst, done } = texts.keys.secret;
  const [isStored, setStored] = useState(false);
  const [isReminded, setReminded] = useState(false);
  return (
    <Dialog
      closesOutside={false}
      onClose={() => (isStored ? onClose() : setReminded(true))}
      title={title}
      description={text}
      footer={
        <Button kind="primary" disabled={!isStored} onClick={onClose}>
          {done}
        </Button>
      }
    >
      <CodeBlock label={label} text={secret} />
      {children}
      <Checkbox label={stored} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
      <p role="alert" className="mt-2 text-sm text-bad">
        {isReminded && !isStored && storeFirst}
      </p>
    </Dialog>
  );
}
