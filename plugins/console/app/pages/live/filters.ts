/** The members of the page's address that are filters of the log, beside `metadata.<name>`: the same names as in the API. */
export const filterNames: readonly string[] = [
  ...['is_success', 'fell_back', 'status', 'provider', 'model', 'config', 'key_id', 'trace_id', 'cause'],
  ...['min_ms', 'min_cost_nano_usd', 'min_attempt_count', 'time_min', 'time_max'],
];

const labelPrefix = 'metadata.';

/** The filters of an address as the API takes them. */
export const toFilters = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...query].filter(
      ([name, value]) => value !== '' && (filterNames.some((each) => each === name) || name.startsWith(labelPrefix)),
    ),
  );

const findLabel = (query: URLSearchParams): readonly [name: string, value: string] | undefined =>
  [...query].find(([name]) => name.startsWith(labelPrefix));

/** The first label that is filtered by, as `name=value`. */
export const readLabel = (query: URLSearchParams): string => {
  const [name, value] = findLabel(query) ?? [];
  return name === undefined ? '' : `${name.slice(labelPrefix.length)}=${value}`;
};

/**
 * Changes of an address by which it filters by another label in place of the first; others that a link names stay.
 * Undefined for a text that is not empty, and not `name=value`.
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

/** Unix time in seconds as the value of a field for date and time, in the viewer's zone. */
export const toLocalField = (seconds: string): string => {
  const date = new Date(Number(seconds) * 1000);
  if (seconds === '' || Number.isNaN(date.getTime())) return '';
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
};

/** The reverse; undefined where the field is empty. */
export const fromLocalField = (text: string): string | undefined => {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : String(ms / 1000);
};

/** US dollars as the API counts them. */
export const toNanoUsd = (text: string): string | undefined => {
  const usd = Number(text);
  return text.trim() === '' || !(usd >= 0) ? undefined : String(Math.round(usd * 1e9));
};
