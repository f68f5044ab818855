import type { ReactNode } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";

interface SaveFormProps {
  title: string;
  lead: string;
  save: { mutate: () => void; isPending: boolean };
  /** Why it was not saved, unless a field shows it. */
  error: Error | null;
  isChanged: boolean;
  /** False: what is entered cannot be saved. */
  maySave: boolean;
  children: ReactNode;
}

/** Settings that are saved together. */
export function SaveForm({ title, lead, save, error, isChanged, maySave, children }: SaveFormProps) {
  return (
    <Section title={title} lead={lead}>
      <Form className="grid gap-4" onSubmit={() => save.mutate()}>
        {children}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" busy={save.isPending} disabled={!maySave || !isChanged}>
            {texts.ui.save}
          </Button>
          {isChanged && <span className="text-sm text-soft">{texts.settings.unsaved}</span>}
        </div>
      </Form>
    </Section>
  );
}
