import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#dashboard/api/client.ts";
import type { Import } from "#dashboard/api/types.ts";
import { useSession } from "#dashboard/session.ts";
import { keepImport } from "../queries.ts";
import { findFault, uploadFile } from "./upload.ts";

/** The file that a person has chosen, and how far its upload is. It stays chosen after an error. */
export function useUpload(source: Import["source"], onUploaded: (id: string) => void) {
  const { account } = useSession();
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const abort = useRef(new AbortController());
  const upload = useMutation({
    mutationFn: (chosen: File) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      return uploadFile({ file: chosen, source, accountId: account.id, onProgress: setSent, signal });
    },
    onSuccess: keepImport,
  });

  // Leaving the page of the browser would end the upload.
  const { isPending } = upload;
  useEffect(() => {
    if (!isPending) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isPending]);

  const send = (chosen: File) => {
    setSent(0);
    // Only if the person is still here.
    upload.mutate(chosen, { onSuccess: ({ id }) => onUploaded(id) });
  };
  return {
    file,
    fault,
    sent,
    isSending: isPending,
    error: upload.error instanceof ApiError && upload.error.code === "cancelled" ? null : upload.error,
    choose: (files: readonly File[], severalFault: string) => {
      const [chosen] = files;
      if (chosen === undefined || isPending) return;
      const found = files.length > 1 ? severalFault : findFault(chosen);
      setFault(found);
      upload.reset();
      setFile(found === null ? chosen : null);
      if (found === null) send(chosen);
    },
    retry: () => file !== null && send(file),
    cancel: () => {
      abort.current.abort();
      setFile(null);
    },
    forget: () => {
      upload.reset();
      setFile(null);
    },
  };
}
