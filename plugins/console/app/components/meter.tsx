export interface MeterProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** The amount from which the bar warns. */
  readonly warnFrom?: number | undefined;
  /** The value for screen readers: `$3.20 of $50.00`. */
  readonly text: string;
}

/** A bar that shows how much of a limit is used. Its width is an SVG attribute, which the security policy allows. */
export const Meter = ({ label, used, limit, warnFrom = limit * 0.8, text }: MeterProps) => {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  const tone = used >= limit ? 'bad' : used >= warnFrom ? 'warning' : 'accent';
  return (
    // biome-ignore lint/a11y/useSemanticElements: the colours of an HTML meter cannot be set in all browsers.
    <div
      class={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(limit, 0)}
      aria-valuenow={Math.min(used, Math.max(limit, 0))}
      aria-valuetext={text}
    >
      <svg width="100%" height="6" aria-hidden="true" focusable="false">
        <rect width={`${share * 100}%`} height="6" rx="3" />
      </svg>
    </div>
  );
};
