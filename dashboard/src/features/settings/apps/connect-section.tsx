import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { isLoopbackName } from "#src/platform/lib/hosts.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyText } from "#dashboard/ui/copy.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { CodeBlock } from "../code-block.tsx";

const page = texts.apps.assistants;

/** The name under which programs list the server. */
const SERVER_NAME = "tern";

/** The address of the MCP server, and how the known assistants take it (docs/assistants.md). */
export function ConnectSection() {
  const url = `${location.origin}/mcp`;
  return (
    <Section title={page.title} lead={page.lead}>
      <CodeBlock label={page.address} text={url} />
      {isLoopbackName(location.hostname) && <Notice className="mb-4">{page.local}</Notice>}
      <ul className="divide-y divide-line border-t border-line">
        <Way name={page.claudeCode} text={page.claudeCodeText}>
          <CopyText text={`claude mcp add --transport http ${SERVER_NAME} ${url}`} />
        </Way>
        <Way name={page.claude} text={page.claudeText} />
        <Way name={page.cursor} text={page.opens}>
          <OpenButton href={cursorLink(url)}>{page.cursorAction}</OpenButton>
        </Way>
        <Way name={page.vsCode} text={page.opens}>
          <OpenButton href={vsCodeLink(url)}>{page.vsCodeAction}</OpenButton>
        </Way>
        <Way name={page.chatGpt} text={page.chatGptText} />
        <Way name={page.others} text={page.othersText} />
      </ul>
    </Section>
  );
}

function Way({ name, text, children }: { name: string; text: string; children?: ReactNode }) {
  return (
    <li className="py-3 last:pb-0">
      <h3 className="font-semibold">{name}</h3>
      <p className="text-soft">{text}</p>
      {children !== undefined && <div className="mt-2">{children}</div>}
    </li>
  );
}

function OpenButton({ href, children }: { href: string; children: string }) {
  return (
    <Button size="small" asChild>
      <a href={href}>
        <ExternalLink size={16} aria-hidden />
        {children}
      </a>
    </Button>
  );
}

/** Opens Cursor, which asks whether it may add the server. */
function cursorLink(url: string): string {
  const config = btoa(JSON.stringify({ url }));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER_NAME}&config=${encodeURIComponent(config)}`;
}

/** Opens VS Code, which asks whether it may add the server. */
function vsCodeLink(url: string): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER_NAME, type: "http", url }))}`;
}
