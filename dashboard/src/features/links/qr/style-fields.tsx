import { normaliseColour } from "#src/platform/lib/colour.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Field, Input, InputField, SelectField } from "#dashboard/ui/field.tsx";
import { LogoField } from "./logo-field.tsx";
import {
  CORNERS,
  DOTS,
  isColour,
  isLogoSize,
  isMargin,
  isSize,
  isSizeMm,
  LEVELS,
  maxLogoSize,
  USUAL_STYLE,
  type QrStyle,
} from "./style.ts";
import {
  MAX_QR_FRAME_TEXT_CHARS,
  MAX_QR_MARGIN_MODULES,
  MAX_QR_SIZE_MM,
  MAX_QR_SIZE_PX,
  MIN_QR_LOGO_PERCENT,
  MIN_QR_SIZE_MM,
  MIN_QR_SIZE_PX,
} from "#src/qr/limits.ts";

const words = texts.qr;

/** How the code looks. */
export function StyleFields({ style, onChange }: { style: QrStyle; onChange: (style: QrStyle) => void }) {
  const set = (patch: Partial<QrStyle>) => onChange({ ...style, ...patch });
  const isUsual = JSON.stringify(style) === JSON.stringify(USUAL_STYLE);
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <ColourField label={words.foreground} value={style.foreground} onChange={(foreground) => set({ foreground })} />
        <ColourField label={words.background} value={style.background} onChange={(background) => set({ background })} />
        <Choice
          label={words.dots}
          values={DOTS}
          names={words.dotForms}
          value={style.dots}
          onChange={(dots) => set({ dots })}
        />
        <Choice
          label={words.corners}
          values={CORNERS}
          names={words.cornerForms}
          value={style.corners}
          onChange={(corners) => set({ corners })}
        />
      </div>
      <InputField
        label={words.frameText}
        hint={words.frameTextHint(MAX_QR_FRAME_TEXT_CHARS)}
        autoComplete="off"
        maxLength={MAX_QR_FRAME_TEXT_CHARS}
        value={style.frameText}
        onValue={(value) => set({ frameText: value })}
      />
      {style.frameText.trim() !== "" && (
        <ColourField
          label={words.frameColour}
          value={style.frameColor ?? style.foreground}
          onChange={(frameColor) => set({ frameColor })}
        />
      )}
      <LogoField
        logo={style.logo}
        // A logo covers modules, which the lower levels cannot make up for.
        onChange={(logo) => set({ logo, ...(logo !== null && /[LM]/.test(style.level) && { level: "H" as const }) })}
      />
      <Choice
        label={words.level}
        values={LEVELS}
        names={words.levels}
        value={style.level}
        isOpen={(level) => style.logo === null || /[QH]/.test(level)}
        onChange={(level) => set({ level })}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {style.logo !== null && (
          <NumberField
            label={words.logoSize}
            hint={words.logoSizeHint(MIN_QR_LOGO_PERCENT, maxLogoSize(style.level))}
            value={style.logoSize}
            isValid={(text) => isLogoSize(text, style.level)}
            onChange={(logoSize) => set({ logoSize })}
          />
        )}
        <NumberField
          label={words.size}
          hint={words.sizeHint(MIN_QR_SIZE_PX, MAX_QR_SIZE_PX)}
          value={style.size}
          isValid={isSize}
          onChange={(size) => set({ size })}
        />
        <NumberField
          label={words.sizeMm}
          hint={words.sizeMmHint(MIN_QR_SIZE_MM, MAX_QR_SIZE_MM)}
          value={style.sizeMm}
          isValid={isSizeMm}
          onChange={(sizeMm) => set({ sizeMm })}
        />
        <NumberField
          label={words.margin}
          hint={words.marginHint(MAX_QR_MARGIN_MODULES)}
          value={style.margin}
          isValid={isMargin}
          onChange={(margin) => set({ margin })}
        />
      </div>
      {!isUsual && (
        <div>
          <Button size="small" kind="quiet" onClick={() => onChange(USUAL_STYLE)}>
            {words.reset}
          </Button>
        </div>
      )}
    </>
  );
}

function Choice<T extends string>({
  label,
  values,
  names,
  value,
  isOpen,
  onChange,
}: {
  label: string;
  values: readonly T[];
  names: Record<T, string>;
  value: T;
  /** Whether a value can be chosen. */
  isOpen?: (value: T) => boolean;
  onChange: (value: T) => void;
}) {
  return (
    <SelectField label={label} value={value} onValue={(value) => onChange(value as T)}>
      {values.map((each) => (
        <option key={each} value={each} disabled={isOpen?.(each) === false}>
          {names[each]}
        </option>
      ))}
    </SelectField>
  );
}

function ColourField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      {(control) => (
        <div className="flex gap-2">
          <input
            {...control}
            type="color"
            className="h-10 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1"
            value={isColour(value) ? normaliseColour(value) : "#000000"}
            onChange={(event) => onChange(event.target.value)}
          />
          <Input
            aria-label={words.colour(label)}
            aria-invalid={isColour(value) ? undefined : true}
            className="tabular font-mono"
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

function NumberField({
  label,
  hint,
  value,
  isValid,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  isValid: (text: string) => boolean;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} {...(isValid(value) ? { hint } : { error: hint })}>
      {(control) => (
        <Input
          {...control}
          className="tabular"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </Field>
  );
}
