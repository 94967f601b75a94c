import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
/** The members of the page's address that filter the log, besides `metadata.<name>`. The API uses the same names. */
export const filterNames: readonly string[] = [
  ...['is_success', 'fell_back', 'status', 'provider', 'model', 'config', 'key_id', 'trace_id', 'cause'],
  ...['min_ms', 'min_cost_nano_usd', 'min_attempt_count', 'time_min', 'time_max'],
];

const labelPrefix = 'metadata.';

/** Returns the filters of an address as the API expects them. */
export const toFilters = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...query].filter(
      ([name, value]) => value !== '' && (filterNames.some((each) => each === name) || name.startsWith(labelPrefix)),
    ),
  );

const findLabel = (query: URLSearchParams): readonly [name: string, value: string] | undefined =>
  [...query].find(([name]) => name.startsWith(labelPrefix));

/** Returns the first label filter as `name=value`. */
export const readLabel = (query: URLSearchParams): string => {
  const [name, value] = findLabel(query) ?? [];
  return name === undefined ? '' : `${name.slice(labelPrefix.length)}=${value}`;
};

/**
 * Returns the changes of an address that replace its first label filter. Further label filters of a link stay. Returns
 * undefined if the text is neither empty nor `name=value`.
 */
export const toLabelChanges = (
  query: URLSearchParams,
  text: string,
): Readonly<Record<string, string | undefined>> | undefined => {
  const [shown] = findLabel(query) ?? [];
  const without = shown === undefined ? {} : { [shown]: undefined };
  if (text.trim() === '') return without;
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text.trim()) ?? [];
  const [label, wanted] = [name.trim(), value.trim()];
  return label === '' || wanted === '' ? undefined : { ...without, [`${labelPrefix}${label}`]: wanted };
};

const pad = (value: number): string => String(value).padStart(2, '0');

/** Converts Unix seconds into the value of a date and time field in the viewer's zone. */
export const toLocalField = (seconds: string): string => {
  const date = new Date(Number(seconds) * 1000);
  if (seconds === '' || Number.isNaN(date.getTime())) return '';
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
};

/** Converts back; undefined if the field is empty. */
export const fromLocalField = (text: string): string | undefined => {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : String(ms / 1000);
};

/** Converts US dollars into the API's unit, billionths of a dollar. */
export const toNanoUsd = (text: string): string | undefined => {
  const usd = Number(text);
  return text.trim() === '' || !(usd >= 0) ? undefined : String(Math.round(usd * nanoPerUsd));
};
