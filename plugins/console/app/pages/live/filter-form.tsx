import { useSignal } from '@preact/signals';
import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/live.ts';
import {
  filterNames,
  fromLocalField,
  readLabel,
  toFilters,
  toLabelChanges,
  toLocalField,
  toNanoUsd,
} from './filters.ts';

const { filters } = texts;

const shortNames = ['status', 'provider', 'model', 'config'] as const;

/** The filters under "More filters". */
const moreNames = [
  'key_id',
  'trace_id',
  'cause',
  'min_ms',
  'min_cost_nano_usd',
  'min_attempt_count',
  'time_min',
  'time_max',
  'label',
] as const;

const labels: Readonly<Record<(typeof shortNames | typeof moreNames)[number], string>> = {
  ...{ status: filters.status, provider: filters.provider, model: filters.model, config: filters.config },
  ...{ key_id: filters.key, trace_id: filters.trace, cause: filters.cause, min_ms: filters.minMs },
  ...{
    min_cost_nano_usd: filters.minCost,
    min_attempt_count: filters.minAttempts,
    time_min: filters.from,
    time_max: filters.to,
    label: filters.label,
  },
};

const types: Readonly<Record<string, 'number' | 'integer' | 'datetime-local'>> = {
  ...{ status: 'integer', min_ms: 'number', min_cost_nano_usd: 'number', min_attempt_count: 'integer' },
  ...{ time_min: 'datetime-local', time_max: 'datetime-local' },
};

/** The filters with a fixed set of values. */
const choices = {
  is_success: {
    label: filters.outcome,
    options: [
      ['', filters.any],
      ['true', filters.good],
      ['false', filters.bad],
    ],
  },
  fell_back: {
    label: filters.fallback,
    options: [
      ['', filters.any],
      ['true', filters.fellBack],
      ['false', filters.stayed],
    ],
  },
} as const;

const toInput = (name: string) => {
  const type = types[name];
  if (type === 'number') return { type, step: 'any', min: 0 };
  if (type === 'integer') return { type: 'number' as const, step: 1, min: 0 };
  return type === undefined ? { type: 'text' as const } : { type };
};

/** Returns the value of a field for a member of the address. */
const toField = (query: URLSearchParams, name: string): string => {
  const value = query.get(name) ?? '';
  if (name === 'label') return readLabel(query);
  if (types[name] === 'datetime-local') return toLocalField(value);
  return name === 'min_cost_nano_usd' && value !== '' ? String(Number(value) / nanoPerUsd) : value;
};

/** Returns the member of the address for the text of a field; undefined removes the member. */
const fromField = (name: string, text: string): string | undefined => {
  if (types[name] === 'datetime-local') return fromLocalField(text);
  return name === 'min_cost_nano_usd' ? toNanoUsd(text) : text.trim() || undefined;
};

/** The filters. They are stored in the address, so that a view can be shared as a link. */
export const FilterForm = ({ query }: { readonly query: URLSearchParams }) => {
  const isLabelWrong = useSignal(false);
  const apply = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const read = (name: string): string => String(data.get(name) ?? '');
    const label = toLabelChanges(query, read('label'));
    isLabelWrong.value = label === undefined;
    if (label === undefined) return;
    setQuery(
      {
        before: undefined,
        ...label,
        ...Object.fromEntries(filterNames.map((name) => [name, fromField(name, read(name))])),
      },
      { push: true },
    );
  };
  const isFiltered = Object.keys(toFilters(query)).length > 0;
  const clear = (): void =>
    setQuery(Object.fromEntries([...query.keys()].map((name) => [name, undefined])), { push: true });
  const field = (name: (typeof shortNames | typeof moreNames)[number]) => (
    <Field
      key={name}
      label={labels[name]}
      {...(name === 'label'
        ? { hint: filters.labelHint, error: isLabelWrong.value ? filters.labelWrong : undefined }
        : {})}
    >
      {(control) => (
        <input
          {...control}
          key={`${name} ${toField(query, name)}`}
          class="input"
          name={name}
          {...toInput(name)}
          defaultValue={toField(query, name)}
        />
      )}
    </Field>
  );
  const choice = (name: keyof typeof choices) => (
    <Field label={choices[name].label}>
      {(control) => (
        <select {...control} class="input" name={name} key={query.get(name) ?? ''}>
          {choices[name].options.map(([value, text]) => (
            <option key={value} value={value} selected={value === (query.get(name) ?? '')}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <form
      class="live-filters"
      aria-label={filters.title}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <div class="form-row">
        {choice('is_success')}
        {shortNames.map(field)}
      </div>
      <details open={isLabelWrong.value || ['fell_back', ...moreNames].some((name) => toField(query, name) !== '')}>
        <summary>{filters.more}</summary>
        <div class="form-row">
          {choice('fell_back')}
          {moreNames.map(field)}
        </div>
      </details>
      <div class="row">
        <Button type="submit" kind="primary" size="small">
          {filters.apply}
        </Button>
        {isFiltered && (
          <Button size="small" onClick={clear}>
            {filters.clear}
          </Button>
        )}
      </div>
    </form>
  );
};
