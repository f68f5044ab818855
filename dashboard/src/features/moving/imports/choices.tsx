import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import type { Import, UpdateImport } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, Segments } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { accountQuery } from "#dashboard/api/resources.ts";

/** What happens to links that cannot come along as they are. */
export function Choices({ current, onChange }: { current: Import; onChange: (changes: UpdateImport) => void }) {
  const own = texts.importing.choices;
  return (
    <Section title={own.title}>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        <Choice label={own.taken} hint={own.takenHint}>
          <Segments
            label={own.taken}
            value={current.taken}
            options={[
              { value: "skip", label: own.takenOptions.skip },
              { value: "rename", label: own.takenOptions.rename },
            ]}
            onChange={(taken) => onChange({ taken })}
          />
        </Choice>
        <Choice label={own.dead} hint={own.deadHint}>
          <Segments
            label={own.dead}
            value={current.dead}
            options={[
              { value: "skip", label: own.deadOptions.skip },
              { value: "disable", label: own.deadOptions.disable },
            ]}
            onChange={(dead) => onChange({ dead })}
          />
        </Choice>
        <Checkbox
          label={own.events}
          hint={own.eventsHint}
          checked={current.events}
          onChange={({ target }) => onChange({ events: target.checked })}
        />
        <RedirectStatus />
      </div>
    </Section>
  );
}

function Choice({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  const id = useId();
  return (
    <div aria-describedby={id}>
      <p className="mb-1.5 font-semibold" aria-hidden>
        {label}
      </p>
      {children}
      <p id={id} className="mt-1.5 text-sm text-soft">
        {hint}
      </p>
    </div>
  );
}

function RedirectStatus() {
  const { data: account } = useQuery(accountQuery);
  if (account === undefined) return null;
  const own = texts.importing.choices;
  const status = account.linkDefaults?.redirectStatus;
  return (
    <p className="text-sm text-soft">
      {status == null ? own.redirectService : own.redirect(status)}{" "}
      <Link to="/settings" className="font-semibold text-accent-strong underline">
        {own.settings}
      </Link>
    </p>
  );
}
