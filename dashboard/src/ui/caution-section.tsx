import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Section } from "./layout.tsx";

/** A section whose one action asks in a dialog first. */
export function CautionSection({
  title,
  lead,
  action,
  renderDialog,
}: {
  title: string;
  lead: string;
  action: string;
  renderDialog: (onClose: () => void) => ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={title}
      lead={lead}
      actions={
        <Button kind="caution" onClick={() => setAsking(true)}>
          {action}
        </Button>
      }
    >
      {isAsking && renderDialog(() => setAsking(false))}
    </Section>
  );
}
