import { texts } from '../../texts/keys.ts';
import type { Key, RateLimit, UsageLimits } from './key.ts';

export const presets = ['application', 'reader', 'all', 'custom'] as const;
export type Preset = (typeof presets)[number];

/** The fields of the form, as typed. */
export interface KeyFields {
  readonly name: string;
  readonly kind: 'organisation' | 'workspace-service';
  readonly preset: Preset;
  readonly scopes: readonly string[];
  /** The value of an `<input type="datetime-local">`, in the viewer's zone; empty for never. */
  readonly expires: string;
  readonly budget: string;
  readonly budgetType: UsageLimits['type'];
  readonly reset: 'never' | 'weekly' | 'monthly';
  readonly rate: string;
  readonly rateType: RateLimit['type'];
  readonly rateUnit: RateLimit['unit'];
}

export type KeyField = keyof KeyFields;
export type FieldErrors = Partial<Record<KeyField, string>>;

export const emptyFields: KeyFields = {
  name: '',
  kind: 'workspace-service',
  preset: 'application',
  scopes: ['completions.write'],
  expires: '',
  budget: '',
  budgetType: 'cost',
  reset: 'monthly',
  rate: '',
  rateType: 'requests',
  rateUnit: 'rpm',
};

const isReading = (scope: string): boolean => /\.(?:list|read|view)$/.test(scope);

/** Returns the scopes of a preset, limited to those of the session's key. */
export const presetScopes = (preset: Preset, own: readonly string[], chosen: readonly string[]): readonly string[] => {
  if (preset === 'application') return ['completions.write', 'models.list'].filter((scope) => own.includes(scope));
  if (preset === 'reader') return own.filter(isReading);
  return preset === 'all' ? own : chosen;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Converts Unix seconds into the value of an `<input type="datetime-local">` in the viewer's zone. */
const toLocalInput = (seconds: number): string => {
  const at = new Date(seconds * 1000);
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
};

/** Returns the fields for editing a key. */
export const toFields = (key: Key): KeyFields => {
  const [rate] = key.rate_limits;
  const usage = key.usage_limits;
  return {
    ...emptyFields,
    name: key.name,
    kind: key.kind === 'organisation' ? 'organisation' : 'workspace-service',
    preset: 'custom',
    scopes: key.scopes,
    expires: key.expires_at === null ? '' : toLocalInput(key.expires_at),
    budget: usage === null ? '' : String(usage.credit_limit),
    budgetType: usage?.type ?? 'cost',
    reset: usage === null ? 'monthly' : (usage.periodic_reset ?? 'never'),
    rate: rate === undefined ? '' : String(rate.value),
    rateType: rate?.type ?? 'requests',
    rateUnit: rate?.unit ?? 'rpm',
  };
};

/** Parses a typed number of 0 or more. Returns undefined for anything else. */
const readNumber = (text: string): number | undefined => {
  const trimmed = text.trim();
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
};

const numberError = (text: string, isWhole: boolean): string | undefined => {
  if (text.trim() === '') return undefined;
  const value = readNumber(text);
  if (value !== undefined && (!isWhole || Number.isSafeInteger(value))) return undefined;
  return isWhole ? texts.form.errors.whole : texts.form.errors.number;
};

/** Returns the errors that the form shows without a request to the gateway. `before` is the key that is edited. */
export const fieldErrors = (fields: KeyFields, now: number = Date.now(), before?: Key): FieldErrors => {
  const { errors } = texts.form;
  const isPast = fields.expires !== '' && !(new Date(fields.expires).getTime() > now);
  // An expired key can be edited without a new expiry.
  const isSame = before?.expires_at != null && toLocalInput(before.expires_at) === fields.expires;
  const budget = numberError(fields.budget, fields.budgetType === 'tokens');
  const rate = numberError(fields.rate, true);
  return {
    ...(fields.name.trim() === '' ? { name: errors.name } : {}),
    ...(fields.scopes.length === 0 ? { scopes: errors.scopes } : {}),
    ...(isPast && !isSame ? { expires: errors.past } : {}),
    ...(budget === undefined ? {} : { budget }),
    ...(rate === undefined ? {} : { rate }),
  };
};

const toUsageLimits = (fields: KeyFields, before: UsageLimits | null): object | null => {
  const credit = readNumber(fields.budget);
  if (credit === undefined) return null;
  const resetDays = before?.periodic_reset_days ?? null;
  const isKeptInDays = resetDays !== null && fields.reset === 'never';
  const alert = before?.alert_threshold ?? null;
  return {
    credit_limit: credit,
    type: fields.budgetType,
    ...(fields.reset === 'never' ? {} : { periodic_reset: fields.reset }),
    ...(isKeptInDays ? { periodic_reset_days: resetDays } : {}),
    ...(alert !== null && alert < credit && before?.type === fields.budgetType ? { alert_threshold: alert } : {}),
  };
};

/**
 * Returns the request body that creates or changes a key. A change keeps what the form does not show: rate limits after the
 * first, the alert threshold, and a period in days.
 */
export const toBody = (fields: KeyFields, before?: Key): object => {
  const rate = readNumber(fields.rate);
  const first = rate === undefined ? [] : [{ type: fields.rateType, unit: fields.rateUnit, value: rate }];
  const expires = fields.expires === '' ? null : Math.floor(new Date(fields.expires).getTime() / 1000);
  const isSameEnd = before?.expires_at != null && toLocalInput(before.expires_at) === fields.expires;
  const rates = [...first, ...(before?.rate_limits.slice(1) ?? [])];
  const usage = toUsageLimits(fields, before?.usage_limits ?? null);
  const body = { name: fields.name.trim(), scopes: fields.scopes };
  if (before !== undefined)
    return {
      ...body,
      ...(isSameEnd ? {} : { expires_at: expires }),
      rate_limits: rates.length === 0 ? null : rates,
      usage_limits: usage,
    };
  return {
    ...body,
    kind: fields.kind,
    ...(expires === null ? {} : { expires_at: expires }),
    ...(rates.length === 0 ? {} : { rate_limits: rates }),
    ...(usage === null ? {} : { usage_limits: usage }),
  };
};
