import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyButton } from "#dashboard/ui/copy.tsx";
import type { SharedPage } from "./queries.ts";

const { page: words } = texts.shared;

/** The HTML that shows a shared page in a page of another site, or why there is none. */
export function EmbedCode({ page, onDone }: { page: SharedPage; onDone: () => void }) {
  const code = `<iframe src="${page.url.replace("/app/shared/", "/app/embed/")}" title="${escapeAttribute(page.title ?? words.embedTitle)}" width="100%" height="800" style="border: 0" loading="lazy"></iframe>`;
  return (
    <div className="mt-3 grid gap-2 border-t border-line pt-3">
      {page.hasPassword ? (
        <p className="text-soft">{words.embedNeedsNoPassword}</p>
      ) : (
        <>
          <div className="flex items-center justify-between gap-2">
            <span className="font-semibold">{words.embedCode}</span>
            <CopyButton text={code} label={words.copyEmbed} />
          </div>
          <pre
            role="region"
            aria-label={words.embedCode}
            className="rounded-control bg-sunken p-3 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {code}
          </pre>
          <p className="text-sm text-soft">{words.embedHint}</p>
        </>
      )}
      <div>
        <Button size="small" onClick={onDone}>
          {texts.ui.close}
        </Button>
      </div>
    </div>
  );
}

const escapeAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
