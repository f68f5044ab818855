import { Image, ImageOff } from "lucide-react";
import { Suspense } from "react";
import { lazyPart } from "#dashboard/lib/lazy-part.ts";
import { QR_PARAMETER } from "#src/platform/lib/qr-parameter.ts";
import { ANY_SLUG_PATTERN } from "#src/platform/lib/slug.ts";
import { cx } from "#dashboard/lib/class-names.ts";
import { hostOf } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { HostIcon } from "../link-parts.tsx";
import { useQrStyle } from "../qr/style.ts";
import { useLinkForm } from "./form.ts";
import { useDestination, useFoundPage } from "./main-fields.tsx";
import { SERVICE_HOST, useChosenDomain } from "./short-url-fields.tsx";
import { RANDOM_SLUG_CHARS } from "#src/links/limits.ts";

const LocalCode = lazyPart(() => import("../qr/local-code.tsx").then(({ LocalCode }) => LocalCode));

const words = texts.editor.preview;

/** What the link will look like. Nothing of it is loaded from elsewhere. */
export function Preview() {
  return (
    <aside aria-label={words.label} className="grid grid-cols-1 content-start gap-5 lg:sticky lg:top-0 lg:self-start">
      <CodePreview />
      <SocialPreview />
    </aside>
  );
}

function CodePreview() {
  const { draft } = useLinkForm();
  const [style] = useQrStyle();
  const host = useChosenDomain();
  const slug = draft.slug.trim();
  const isKnown = ANY_SLUG_PATTERN.test(slug);
  const origin = host === SERVICE_HOST ? location.origin : `https://${host}`;
  const shortUrl = `${origin}/${isKnown ? slug : "x".repeat(RANDOM_SLUG_CHARS)}`;
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-soft">{words.qr}</h3>
      <div className="flex items-center gap-4 rounded-card border border-line bg-surface p-3 lg:flex-col lg:items-stretch">
        <Suspense fallback={<Skeleton className="size-24 lg:mx-auto lg:size-36" />}>
          <LocalCode
            text={`${shortUrl}?${QR_PARAMETER}`}
            style={style}
            label={isKnown ? texts.qr.alt(`${host}/${slug}`) : words.qrRandom}
            className={cx("size-24 shrink-0 rounded-md lg:mx-auto lg:size-36", !isKnown && "opacity-25")}
          />
        </Suspense>
        <p className="min-w-0 flex-1 text-sm lg:text-center">
          <bdi dir="ltr" className="font-semibold break-all">
            {host}/{isKnown ? slug : "…"}
          </bdi>
          {!isKnown && <span className="block text-soft">{words.qrRandom}</span>}
        </p>
      </div>
    </section>
  );
}

function SocialPreview() {
  const { draft, base } = useLinkForm();
  const { preview } = draft;
  const destination = useDestination();
  const page = useFoundPage();
  const [title, description, image] = [preview.title.trim(), preview.description.trim(), preview.image.trim()];
  const isOwn = title !== "" || description !== "" || image !== "";
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-soft">{words.social}</h3>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <div className="flex aspect-[1.91] flex-col items-center justify-center gap-1.5 bg-sunken px-3 text-sm text-soft">
          {image === "" ? <ImageOff size={22} aria-hidden /> : <Image size={22} aria-hidden />}
          <span className="max-w-full truncate">{image === "" ? words.noImage : words.imageOf(hostOf(image))}</span>
        </div>
        <div className="border-t border-line px-3 py-2.5">
          <p className="flex items-center gap-1.5 text-xs text-soft">
            {base !== null && page !== null && <HostIcon link={base} className="size-4" />}
            <span className="truncate">{page?.host ?? URL.parse(destination)?.host ?? "example.com"}</span>
          </p>
          <p dir="auto" className={cx("truncate text-as-parent font-semibold", title === "" && "text-soft")}>
            {title || page?.title || words.ownTitle}
          </p>
          {description !== "" && (
            <p dir="auto" className="line-clamp-2 text-as-parent text-sm text-soft">
              {description}
            </p>
          )}
        </div>
      </div>
      {!isOwn && <p className="mt-2 text-sm text-soft">{words.ownText}</p>}
    </section>
  );
}
