import { Braces } from "lucide-react";
import { useRef, useState } from "react";
import type { ChatFormat } from "#src/webhooks/formats.ts";
import { MAX_TEMPLATE_CHARS } from "#src/webhooks/limits.ts";
import { checkTemplate } from "#src/webhooks/messages/check-template.ts";
import { EXAMPLES } from "#src/webhooks/messages/examples.ts";
import {
  placeholdersOf,
  readPlaceholder,
  TEMPLATE_EVENTS,
  type TemplateEvent,
  type Templates,
} from "#src/webhooks/messages/placeholders.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Field, Textarea } from "#dashboard/ui/field.tsx";
import { Badge } from "#dashboard/ui/layout.tsx";
import { Menu, MenuItem } from "#dashboard/ui/menu.tsx";
import { MessagePreview } from "./message-preview.tsx";
import type { EventName } from "./queries.ts";

interface Props {
  /** The events that the webhook sends. */
  events: readonly EventName[];
  format: ChatFormat;
  value: Templates;
  onChange: (templates: Templates) => void;
  /** All faults are shown, also those of texts that nobody has left yet. */
  showsFaults: boolean;
  errorOf: (event: TemplateEvent) => string | undefined;
}

/** The texts of messages, for each event that the webhook sends. */
export function TemplatesField({ events, format, value, onChange, showsFaults, errorOf }: Props) {
  const { label, hint } = texts.webhooks.form.messages;
  return (
    <div>
      <p className="mb-1.5 font-semibold">{label}</p>
      <p className="mb-2 text-sm text-soft">{hint}</p>
      <div className="grid gap-2">
        {TEMPLATE_EVENTS.filter((event) => events.includes(event)).map((event) => (
          <TemplateField
            key={event}
            event={event}
            format={format}
            value={value[event] ?? ""}
            onChange={(template) => onChange({ ...value, [event]: template })}
            showsFaults={showsFaults}
            error={errorOf(event)}
          />
        ))}
      </div>
    </div>
  );
}

/** The templates that are sent: those with a text, of events that the webhook sends. */
export function templatesFor(events: readonly EventName[], templates: Templates): Templates | null {
  const kept = TEMPLATE_EVENTS.flatMap((event) => {
    const template = templates[event]?.trim() ?? "";
    return template === "" || !events.includes(event) ? [] : [[event, template] as const];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** What is wrong with a template, in words; undefined: nothing. */
function faultOf(template: string, event: TemplateEvent): string | undefined {
  const [fault] = checkTemplate(template, event);
  return fault && texts.webhooks.form.messages.faults[fault.code](fault.part);
}

export const hasFault = (templates: Templates | null): boolean =>
  TEMPLATE_EVENTS.some((event) => faultOf(templates?.[event] ?? "", event) !== undefined);

interface TemplateFieldProps {
  event: TemplateEvent;
  format: ChatFormat;
  value: string;
  onChange: (template: string) => void;
  showsFaults: boolean;
  error: string | undefined;
}

function TemplateField({ event, format, value, onChange, showsFaults, error }: TemplateFieldProps) {
  const { own, text, textHint, used } = texts.webhooks.form.messages;
  const area = useRef<HTMLTextAreaElement>(null);
  const [wasLeft, setWasLeft] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const shown = error ?? (wasLeft || showsFaults ? faultOf(value, event) : undefined);
  const name = texts.webhooks.events.names[event];
  const insert = (placeholder: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    // The browser's own undo takes it back.
    area.current?.setRangeText(placeholder, selectionStart, selectionEnd, "end");
    onChange(area.current?.value ?? value + placeholder);
    area.current?.focus();
  };
  return (
    <details
      className="rounded-control border border-line px-3 py-2.5"
      // What is wrong must be visible.
      open={isOpen || shown !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        {name} {value.trim() !== "" && <Badge>{own}</Badge>}
      </summary>
      <div className="mt-3 grid gap-3">
        <Field
          label={text(name)}
          hideLabel
          hint={textHint}
          error={shown}
          aside={used(formatCount(value.length), formatCount(MAX_TEMPLATE_CHARS))}
        >
          {(control) => (
            <Textarea
              {...control}
              ref={area}
              className="max-h-60 field-sizing-content"
              rows={3}
              maxLength={MAX_TEMPLATE_CHARS}
              value={value}
              onChange={({ target }) => onChange(target.value)}
              onBlur={() => setWasLeft(true)}
            />
          )}
        </Field>
        <PlaceholderMenu event={event} onInsert={insert} />
        <MessagePreview event={event} format={format} template={value.trim()} />
      </div>
    </details>
  );
}

/** Inserts a placeholder. Beside each is its value in the example. */
function PlaceholderMenu({ event, onInsert }: { event: TemplateEvent; onInsert: (placeholder: string) => void }) {
  return (
    <div>
      <Menu
        align="start"
        trigger={
          <Button size="small">
            <Braces size={16} aria-hidden />
            {texts.webhooks.form.messages.insert}
          </Button>
        }
      >
        {placeholdersOf(event).map((name) => (
          <MenuItem key={name} onSelect={() => onInsert(`{{${name}}}`)}>
            <span className="block font-mono text-sm">{name}</span>
            <span className="block max-w-72 truncate text-sm text-soft">{readPlaceholder(name, EXAMPLES[event])}</span>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
