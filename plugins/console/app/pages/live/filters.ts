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

/** The label that is filtered by, as `name=value`. */
export const readLabel = (query: URLSearchParams): string => {
  const found = [...query].find(([name]) => name.startsWith(labelPrefix));
  return found === undefined ? '' : `${found[0].slice(labelPrefix.length)}=${found[1]}`;
};

/** Changes of an address by which it filters by a label, and no other. */
export const toLabelChanges = (query: URLSearchParams, text: string): Readonly<Record<string, string | undefined>> => {
  const changes: Record<string, string | undefined> = {};
  for (const name of query.keys()) if (name.startsWith(labelPrefix)) changes[name] = undefined;
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text.trim()) ?? [];
  if (name !== '') changes[`${labelPrefix}${name.trim()}`] = value.trim();
  return changes;
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
