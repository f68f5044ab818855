import { Check, Copy } from "lucide-react";
import { Fragment, useEffect, useState } from "react";
import { copyText } from "../lib/clipboard.ts";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { showToast } from "./toast.tsx";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  text: string;
  label?: string;
  keys?: string;
  tabIndex?: number;
}

/** Copies a text, and shows for a moment that it did. */
export function CopyButton({ text, label = texts.ui.copy, keys, tabIndex }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else showToast({ kind: "problem", title: texts.ui.copyRefused });
  };
  return (
    <IconButton
      label={copied ? texts.ui.copied : label}
      {...(keys !== undefined && { keys })}
      icon={copied ? <Check size={16} className="text-good" aria-hidden /> : <Copy size={16} aria-hidden />}
      size="small"
      tabIndex={tabIndex}
      onClick={() => void copy()}
    />
  );
}

/** A value that people copy, such as a DNS record. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 rounded bg-sunken px-1.5 py-0.5 font-mono text-sm">
        <Breakable text={text} />
      </code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </span>
  );
}

/** A longer part of a text, such as a key, breaks where the line ends. */
const MAX_UNBROKEN_CHARS = 24;

/** Other lines than those of keys break only after dots, hyphens and the like, so that the parts of a name stay whole. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[.=\s]|-(?!-))/).map((part, index) => {
    const isLong = part.length > MAX_UNBROKEN_CHARS;
    return (
      <Fragment key={index}>
        {index > 0 && !isLong && <wbr />}
        <span className={isLong ? "break-all" : "whitespace-nowrap"}>{part}</span>
      </Fragment>
    );
  });
}
