export interface MeterProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** Where it begins to warn. */
  readonly warnFrom?: number | undefined;
  /** `$3.20 of $50.00`, which screen readers read. */
  readonly text: string;
}

/** How much of a limit is used, as a bar. Its width is an attribute of SVG, which the security policy does not forbid. */
export const Meter = ({ label, used, limit, warnFrom = limit * 0.8, text }: MeterProps) => {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  const tone = used >= limit ? 'bad' : used >= warnFrom ? 'warning' : 'accent';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter of HTML has no colours of its own in all browsers.
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
