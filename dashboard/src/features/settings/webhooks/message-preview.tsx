import type { ReactNode } from "react";
import type { ChatFormat } from "#src/webhooks/formats.ts";
import { EXAMPLES } from "#src/webhooks/messages/examples.ts";
import { writeMessage } from "#src/webhooks/messages/message.ts";
import type { TemplateEvent } from "#src/webhooks/messages/placeholders.ts";
import type { Run } from "#src/webhooks/messages/runs.ts";
import { fitLines } from "#src/webhooks/messages/services.ts";
import { texts } from "#dashboard/texts/index.ts";

interface Props {
  event: TemplateEvent;
  format: ChatFormat;
  /** Empty: the message of the service. */
  template: string;
}

/** What the service sends for the example of an event. */
export function MessagePreview({ event, format, template }: Props) {
  const { preview } = texts.webhooks.form.messages;
  const { lines } = writeMessage(EXAMPLES[event], template === "" ? null : { [event]: template });
  return (
    <div>
      <p className="mb-1 text-sm text-soft" aria-hidden>
        {preview}
      </p>
      <div role="group" aria-label={preview} className="rounded-control bg-sunken px-3 py-2 wrap-anywhere">
        {fitLines(lines, format).map((line, index) => (
          // Nothing in a line has a state.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={index} className="min-h-[1lh]">
            {line.map((run, place) => (
              // oxlint-disable-next-line react/no-array-index-key
              <Styled key={place} run={run} />
            ))}
          </p>
        ))}
      </div>
    </div>
  );
}

/** A link leads nowhere: the URLs of the example are made up. */
function Styled({ run }: { run: Run }) {
  let shown: ReactNode = run.text;
  if (run.code) shown = <code className="font-mono text-sm">{shown}</code>;
  if (run.url !== undefined) shown = <span className="text-accent underline">{shown}</span>;
  if (run.bold) shown = <strong>{shown}</strong>;
  if (run.italic) shown = <em>{shown}</em>;
  return run.strike ? <s>{shown}</s> : shown;
}
