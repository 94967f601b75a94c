import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
import { asApiError } from '../../api/error.ts';
import { type FoundKey, findKey } from '../../api/key-choices.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { isId } from '../../api/name-keys.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field, focusFirstError } from '../../components/field.tsx';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/live.ts';
import { texts as shell } from '../../texts/shell.ts';
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

type FieldName = (typeof shortNames | typeof moreNames)[number];

const labels: Readonly<Record<FieldName, string>> = {
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

type Errors = { readonly [Name in FieldName]?: string };

const hintOf = (name: FieldName): { readonly hint?: string } => {
  if (name === 'label') return { hint: filters.labelHint };
  return name === 'key_id' ? { hint: may('keys.list') ? filters.keyHint : shell.keyIdHint } : {};
};

/** Finds the id for the text of the filter by key. Without the right to list keys, the text must be the id. */
const toKeyId = async (text: string): Promise<FoundKey> => {
  if (text === '' || isId(text) || !may('keys.list')) return { id: text };
  return findKey(text, { withRevoked: true }).catch((thrown: unknown) => ({ error: asApiError(thrown).message }));
};

/** The filters. They are stored in the address, so that a view can be shared as a link. */
export const FilterForm = ({ query }: { readonly query: URLSearchParams }) => {
  const errors = useSignal<Errors>({});
  /** Counts what the filters were set to. A name that is found later than the next change does not set them. */
  const changes = useRef(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    changes.current += 1;
  }, [query]);
  useEffect(() => focusFirstError(form.current), [errors.value]);
  const keyId = query.get('key_id') ?? '';
  const keyName = useKeyNames([keyId]).get(keyId) ?? keyId;
  const apply = async (shownForm: HTMLFormElement): Promise<void> => {
    const data = new FormData(shownForm);
    const read = (name: string): string => String(data.get(name) ?? '');
    const label = toLabelChanges(query, read('label'));
    const keyText = read('key_id').trim();
    changes.current += 1;
    const change = changes.current;
    const key = keyText === keyName ? { id: keyId } : await toKeyId(keyText);
    // Another page may be shown by now, whose address has other members.
    if (change !== changes.current || !shownForm.isConnected) return;
    errors.value = {
      ...(label === undefined ? { label: filters.labelWrong } : {}),
      ...('error' in key ? { key_id: key.error } : {}),
    };
    if (label === undefined || 'error' in key) return;
    setQuery(
      {
        before: undefined,
        ...label,
        ...Object.fromEntries(filterNames.map((name) => [name, fromField(name, read(name))])),
        key_id: key.id || undefined,
      },
      { push: true },
    );
  };
  const shown = (name: string): string => (name === 'key_id' ? keyName : toField(query, name));
  const isFiltered = Object.keys(toFilters(query)).length > 0;
  const clear = (): void => {
    changes.current += 1;
    errors.value = {};
    form.current?.reset();
    setQuery(Object.fromEntries([...query.keys()].map((name) => [name, undefined])), { push: true });
  };
  const field = (name: FieldName) => (
    <Field key={name} label={labels[name]} error={errors.value[name]} {...hintOf(name)}>
      {(control) => (
        <input
          {...control}
          key={`${name} ${shown(name)}`}
          class="input"
          name={name}
          {...toInput(name)}
          defaultValue={shown(name)}
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
      ref={form}
      class="live-filters"
      aria-label={filters.title}
      onSubmit={(event) => {
        event.preventDefault();
        void apply(event.currentTarget);
      }}
    >
      <div class="form-row">
        {choice('is_success')}
        {shortNames.map(field)}
      </div>
      <details
        open={
          Object.keys(errors.value).length > 0 ||
          ['fell_back', ...moreNames].some((name) => toField(query, name) !== '')
        }
      >
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
