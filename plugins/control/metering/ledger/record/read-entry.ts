import { isJsonObject } from '../../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { LedgerEntry } from './entry.ts';

const texts = ['trace', 'organisation', 'workspace', 'provider', 'model'] as const;
const optionalTexts = ['key', 'config', 'prompt', 'slug'] as const;
const kinds: ReadonlySet<unknown> = new Set(['reported', 'partial', 'estimated', 'none']);

const isText = (value: unknown): value is string => typeof value === 'string';

const isTotal = (value: unknown): boolean => isJsonObject(value) && Number.isSafeInteger(value.total);

const isUsage = (value: unknown): value is UsageRecord =>
  isJsonObject(value) && kinds.has(value.kind) && isText(value.model) && isTotal(value.input) && isTotal(value.output);

const isEntry = (value: unknown): value is LedgerEntry =>
  isJsonObject(value) &&
  Number.isSafeInteger(value.at) &&
  typeof value.isFirst === 'boolean' &&
  texts.every((name) => isText(value[name])) &&
  optionalTexts.every((name) => value[name] === undefined || isText(value[name])) &&
  isJsonObject(value.metadata) &&
  Object.values(value.metadata).every(isText) &&
  isUsage(value.usage);

/** An entry that was written as JSON; undefined if it is none. */
export const readEntry = (value: unknown): LedgerEntry | undefined => (isEntry(value) ? value : undefined);
