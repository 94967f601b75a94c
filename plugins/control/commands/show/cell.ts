import type { Json } from '../../../../schema/json.ts';
import { printable } from './printable.ts';

/** How a member is shown: as it is, or as the time that its seconds since the epoch are. */
export type CellKind = 'value' | 'time';

const mostSeconds = 8_640_000_000_000;

/** A time in UTC, to the second: `2026-11-20T09:30:00Z`. */
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

/** A member of what the gateway answers, on one line; a member that is absent or null is a dash. */
export const cellText = (value: Json | undefined, kind: CellKind = 'value'): string => {
  if (value === undefined || value === null || value === '') return '-';
  if (kind === 'time' && typeof value === 'number' && Math.abs(value) <= mostSeconds) return timeText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? '-' : printable(value.join(', '));
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
};
