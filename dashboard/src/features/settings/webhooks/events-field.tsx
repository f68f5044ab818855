import { EVENT_TYPES } from "#src/platform/outbox/event-types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import type { EventName } from "./queries.ts";

/** Test pings are sent whatever is chosen. */
const CHOICES = EVENT_TYPES.filter((event) => event !== "webhook.test");

interface Props {
  value: readonly EventName[];
  onChange: (events: EventName[]) => void;
  error?: string | undefined;
}

export function EventsField({ value, onChange, error }: Props) {
  const { label, groups, names, needsOne, busy } = texts.webhooks.events;
  const byGroup = Map.groupBy(CHOICES, (event) => (event.startsWith("link.") ? "link" : "domain"));
  return (
    <div>
      <p className="mb-1.5 font-semibold" aria-hidden>
        {label}
      </p>
      <div className="grid gap-4 rounded-control border border-line p-3 sm:grid-cols-2">
        {[...byGroup].map(([group, events]) => (
          <fieldset key={group}>
            <legend className="mb-1.5 text-sm text-soft">
              <span className="sr-only">{label}: </span>
              {groups[group]}
            </legend>
            <div className="grid gap-1.5">
              {events.map((event) => (
                <Checkbox
                  key={event}
                  label={names[event]}
                  hint={event === "link.click" ? `${event}. ${busy}` : event}
                  checked={value.includes(event)}
                  onChange={({ target }) =>
                    onChange(EVENT_TYPES.filter((each) => (each === event ? target.checked : value.includes(each))))
                  }
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <p role="alert" className="mt-1.5 text-sm text-bad">
        {error ?? (value.length === 0 && needsOne)}
      </p>
    </div>
  );
}
