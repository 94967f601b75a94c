import type { ComponentChildren } from 'preact';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'accent';

/** A short status, such as `active` or `429`. */
export const Badge = ({
  children,
  tone = 'neutral',
}: {
  readonly children: ComponentChildren;
  readonly tone?: Tone;
}) => <span class={`badge ${tone}`}>{children}</span>;

/** A figure and its label. */
export const Stat = ({
  label,
  value,
  hint,
}: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly hint?: ComponentChildren;
}) => (
  <div class="stat">
    <span class="stat-label">{label}</span>
    <span class="stat-value">{value}</span>
    {hint !== undefined && <span class="stat-hint">{hint}</span>}
  </div>
);

export const Card = ({
  title,
  children,
  actions,
}: {
  readonly title?: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) => (
  <section class="card">
    {(title !== undefined || actions !== undefined) && (
      <header class="card-head">
        {title !== undefined && <h2>{title}</h2>}
        {actions}
      </header>
    )}
    {children}
  </section>
);

export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A row of a few options of which one is chosen. */
export const Segments = <Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) => (
  <fieldset class="segments">
    <legend class="visually-hidden">{label}</legend>
    {options.map((option) => (
      <label key={option.value} class="segment">
        <input type="radio" name={label} checked={option.value === value} onChange={() => onChange(option.value)} />
        <span>{option.text}</span>
      </label>
    ))}
  </fieldset>
);
