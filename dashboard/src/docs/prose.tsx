import { Fragment } from "react";

/** A text of the document: `code` and [links](…) in it are shown as such. */
export function Prose({ text, className }: { text: string | undefined; className?: string }) {
  if (text === undefined || text === "") return null;
  return (
    <p className={className}>
      {text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part, index) => {
        const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part);
        if (link !== null)
          return (
            <a key={index} href={link[2]} className="text-accent underline" rel="noreferrer">
              {link[1]}
            </a>
          );
        return part.startsWith("`") && part.length > 1 ? (
          <Code key={index}>{part.slice(1, -1)}</Code>
        ) : (
          <Fragment key={index}>{part}</Fragment>
        );
      })}
    </p>
  );
}

export function Code({ children }: { children: string }) {
  return <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em] break-words">{children}</code>;
}
