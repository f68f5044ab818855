import type { ComponentProps } from "react";
import { respond, urlForAccount, type Query } from "../api/client.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "./notice.tsx";
import { showToast } from "./toast.tsx";

interface DownloadLinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** Of a file of the API. */
  path: string;
}

/** A link to a file that the browser saves. */
export function DownloadLink({ path, children, ...props }: DownloadLinkProps) {
  return (
    <a
      {...props}
      href={urlForAccount(path)}
      download
      onClick={(event) => {
        event.preventDefault();
        void download(path);
      }}
    >
      {children}
    </a>
  );
}

/**
 * Lets the browser save a file of the API, however large. The file is asked for once before, because the browser would save
 * an error as the file too. Shows the error.
 */
export async function download(path: string, query: Query = {}): Promise<void> {
  const asked = new AbortController();
  try {
    await respond("GET", path, { query, signal: asked.signal });
  } catch (error) {
    showToast({ kind: "problem", title: texts.ui.notDownloaded, text: explainError(error) });
    return;
  }
  asked.abort();
  const link = document.createElement("a");
  link.href = urlForAccount(path, query);
  link.download = "";
  link.click();
}
