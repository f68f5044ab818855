import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Webhook } from "#src/webhooks/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField, Segments } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { TagTokens } from "../../links/tag-tokens.tsx";
import { EventsField } from "./events-field.tsx";
import { LinksField } from "./links-field.tsx";
import { createWebhook, updateWebhook, type EventName } from "./queries.ts";
import { MAX_OUTBOUND_URL_CHARS } from "#src/platform/outbound/limits.ts";
import { WEBHOOK_FORMATS, type WebhookFormat } from "#src/webhooks/formats.ts";
import { MAX_WEBHOOK_FILTER_ITEMS } from "#src/webhooks/limits.ts";

interface Props {
  /** The webhook to change; null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onCreated?: (webhook: Webhook) => void;
}

const DEFAULT_EVENTS: EventName[] = ["link.create", "link.update", "link.delete"];

/** The chat service that gives URLs like this one to its incoming webhooks. */
function chatServiceOf(text: string): WebhookFormat | null {
  const { hostname = "", pathname = "" } = URL.parse(text) ?? {};
  if (hostname === "hooks.slack.com") return "slack";
  if (/(^|\.)discord(app)?\.com$/.test(hostname) && pathname.startsWith("/api/webhooks/")) return "discord";
  return /\.(logic\.azure\.com|api\.powerplatform\.com|webhook\.office\.com)$/.test(hostname) ? "teams" : null;
}

/** Creates a webhook, or changes one. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const { create, form, saved } = texts.webhooks;
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<EventName[]>(webhook?.events ?? DEFAULT_EVENTS);
  const [format, setFormat] = useState(webhook?.format ?? "event");
  const [linkIds, setLinkIds] = useState<string[]>(webhook?.linkIds ?? []);
  const [tags, setTags] = useState<string[]>(webhook?.tags ?? []);
  const [scope, setScope] = useState<"all" | "some">(linkIds.length + tags.length > 0 ? "some" : "all");
  const hasLinkEvents = events.some((event) => event.startsWith("link."));
  // Other events are about no link.
  const isLimited = scope === "some" && hasLinkEvents;
  const lacksFilter = isLimited && linkIds.length + tags.length === 0;
  const changeUrl = (text: string) => {
    setUrl(text);
    const service = chatServiceOf(text.trim());
    // What somebody has chosen stays while the service is the same.
    if (service !== chatServiceOf(url.trim())) setFormat(service ?? "event");
  };
  const save = useMutation({
    mutationFn: async () => {
      const fields = {
        url: url.trim(),
        events,
        format,
        linkIds: isLimited && linkIds.length > 0 ? linkIds : null,
        tags: isLimited && tags.length > 0 ? tags : null,
      };
      if (webhook === null) {
        onCreated?.(await createWebhook(fields));
        return;
      }
      await updateWebhook(webhook.id, fields);
      const { id, ...shown } = webhook;
      const former = {
        url: shown.url,
        events: shown.events,
        format: shown.format,
        linkIds: shown.linkIds,
        tags: shown.tags,
      };
      showChange(saved, () => updateWebhook(id, former));
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={webhook === null ? create : form.edit}
      action={webhook === null ? create : texts.ui.save}
      save={save}
      disabled={events.length === 0 || lacksFilter}
      error={fieldError(save.error, "url") === undefined ? save.error : null}
    >
      <InputField
        label={form.url}
        hint={form.urlHint}
        error={fieldError(save.error, "url")}
        required
        autoFocus
        inputMode="url"
        autoComplete="off"
        maxLength={MAX_OUTBOUND_URL_CHARS}
        placeholder={form.urlPlaceholder}
        value={url}
        onValue={changeUrl}
      />
      <FormatField value={format} onChange={setFormat} />
      <EventsField value={events} onChange={setEvents} error={fieldError(save.error, "events")} />
      {hasLinkEvents && (
        <LinkFilter scope={scope} onScope={setScope} lacksFilter={lacksFilter}>
          <TagTokens
            label={form.tags}
            hint={form.tagsHint(MAX_WEBHOOK_FILTER_ITEMS)}
            max={MAX_WEBHOOK_FILTER_ITEMS}
            values={tags}
            onChange={setTags}
            error={fieldError(save.error, "tags")}
          />
          <LinksField value={linkIds} onChange={setLinkIds} error={fieldError(save.error, "linkIds")} />
        </LinkFilter>
      )}
    </FormDialog>
  );
}

function FormatField({ value, onChange }: { value: WebhookFormat; onChange: (format: WebhookFormat) => void }) {
  const { form } = texts.webhooks;
  return (
    <div>
      <p className="mb-1.5 font-semibold" aria-hidden>
        {form.format}
      </p>
      <Segments
        label={form.format}
        value={value}
        options={WEBHOOK_FORMATS.map((each) => ({ value: each, label: form.formats[each] }))}
        onChange={onChange}
      />
      <p aria-live="polite" className="mt-1.5 text-sm text-soft">
        {form.formatHints[value]}
      </p>
    </div>
  );
}

interface LinkFilterProps {
  scope: "all" | "some";
  onScope: (scope: "all" | "some") => void;
  lacksFilter: boolean;
  /** What chooses some of the links. */
  children: ReactNode;
}

function LinkFilter({ scope, onScope, lacksFilter, children }: LinkFilterProps) {
  const { form } = texts.webhooks;
  return (
    <div className="grid gap-3">
      <p className="font-semibold" aria-hidden>
        {form.filters}
      </p>
      <Segments
        label={form.filters}
        className="justify-self-start"
        value={scope}
        options={[
          { value: "all", label: form.all },
          { value: "some", label: form.some },
        ]}
        onChange={onScope}
      />
      {scope === "some" && (
        <>
          {children}
          {lacksFilter && <p className="text-sm text-soft">{form.needsFilter}</p>}
        </>
      )}
    </div>
  );
}
