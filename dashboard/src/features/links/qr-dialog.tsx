import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Download, ImageIcon } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Because } from "#src/platform/http/fault-codes.ts";
import { toFileName } from "#src/platform/lib/slug.ts";
import { ApiError, reasonInWords } from "../../api/client.ts";
import type { Link } from "../../api/types.ts";
import { copyLater } from "../../lib/clipboard.ts";
import { saveFile } from "../../lib/save-file.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { drawCode, explainRefusal } from "./qr/drawing.ts";
import { DomainStyle, useDomainStyle } from "./qr/domain-style.tsx";
import { StyleFields } from "./qr/style-fields.tsx";
import { colourProblem, fromKept, isDrawable, useQrStyle, type QrStyle } from "./qr/style.ts";

const words = texts.qr;

const FORMATS = ["svg", "png", "pdf"] as const;
type Format = (typeof FORMATS)[number];

/** The reason in words; null while they are loaded. */
function useReason(because: Because | null): string | null {
  const { data = null } = useQuery({
    queryKey: ["reason", because],
    queryFn: () => (because === null ? null : reasonInWords(because)),
    enabled: because !== null,
  });
  return because === null ? null : data;
}

/** The QR code of a link, in the style of its domain, or else in the one that this browser remembers. */
export function QrDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const [own, setOwn] = useQrStyle();
  const [isChanged, setChanged] = useState(false);
  const { domain, kept } = useDomainStyle(link);
  const style = kept == null || isChanged ? own : fromKept(kept, own);
  const setStyle = (next: QrStyle) => {
    setChanged(true);
    setOwn(next);
  };
  const drawn = useDrawableStyle(style);
  const problem = useReason(colourProblem(style));
  return (
    <Dialog
      size="large"
      onClose={onClose}
      title={words.title}
      description={words.clicks}
      footer={<Actions link={link} style={isDrawable(style) ? style : drawn} />}
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-1 content-start gap-4">
          {domain !== undefined && kept !== undefined && (
            <DomainStyle domain={domain} kept={kept} style={style} onUse={setStyle} />
          )}
          <StyleFields style={style} onChange={setStyle} />
        </div>
        <div className="max-md:order-first md:sticky md:top-0 md:self-start">
          <Code link={link} style={drawn} />
          {problem !== null && (
            <Notice kind="warn" className="mt-3" title={`${words.contrast} ${problem}.`}>
              <p className="text-sm">{words.invalid}</p>
            </Notice>
          )}
        </div>
      </div>
    </Dialog>
  );
}

const TYPING_PAUSE_MS = 250;

/** The newest style that the API can draw, once it has not changed for a moment. */
function useDrawableStyle(style: QrStyle): QrStyle {
  const [drawn, setDrawn] = useState(style);
  const text = JSON.stringify(style);
  useEffect(() => {
    const next = JSON.parse(text) as QrStyle;
    if (!isDrawable(next)) return undefined;
    const timer = setTimeout(() => setDrawn(next), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return drawn;
}

function Code({ link, style }: { link: Link; style: QrStyle }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["links", "qr", link.id, link.shortUrl, style],
    queryFn: ({ signal }) => drawCode(link, style, "svg", signal),
    placeholderData: keepPreviousData,
    enabled: isDrawable(style),
  });
  return (
    <figure>
      {error !== null ? (
        <Refusal error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="mx-auto aspect-square w-full max-w-80 rounded-card" />
      ) : (
        <FileImage
          file={data}
          alt={words.alt(withoutScheme(link.shortUrl))}
          className="mx-auto aspect-square w-full max-w-80 rounded-card border border-line object-contain max-md:max-w-48"
        />
      )}
      <figcaption dir="ltr" className="mt-2 text-center text-sm break-all text-soft">
        {withoutScheme(link.shortUrl)}
      </figcaption>
    </figure>
  );
}

function Refusal({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 400) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <Notice kind="bad" title={words.refused}>
      <p className="text-sm">{explainRefusal(error)}</p>
    </Notice>
  );
}

function FileImage({ file, alt, className }: { file: Blob; alt: string; className: string }) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) return undefined;
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={show} alt={alt} className={className} />;
}

function Actions({ link, style }: { link: Link; style: QrStyle }) {
  const save = useMutation({
    mutationFn: async (format: Format) => {
      saveFile(await drawCode(link, style, format), `${toFileName(link.slug)}.${format}`);
    },
    onError: (error) => showToast({ kind: "problem", title: explainRefusal(error) }),
  });
  const copy = useMutation({
    mutationFn: () => copyLater("image/png", drawCode(link, style, "png")),
    onSuccess: (isCopied) =>
      showToast(isCopied ? { title: words.copied } : { kind: "problem", title: texts.ui.copyRefused }),
  });
  return (
    <div className="grid w-full grid-cols-3 gap-2 sm:flex sm:justify-end">
      <Button busy={copy.isPending} onClick={() => copy.mutate()} className="col-span-full">
        <ImageIcon size={18} aria-hidden />
        {words.copyImage}
      </Button>
      {FORMATS.map((format) => (
        <Button
          key={format}
          kind={format === "png" ? "primary" : "secondary"}
          aria-label={`${words.download} ${format.toUpperCase()}`}
          busy={save.isPending && save.variables === format}
          onClick={() => save.mutate(format)}
        >
          <Download size={18} aria-hidden />
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
