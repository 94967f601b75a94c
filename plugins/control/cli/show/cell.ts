import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { printable } from './printable.ts';

/**
 * How a member is shown: as it is, as the time that its seconds since the epoch are, as the first names of a list, or as a
 * sentence of what is wrong with a request.
 */
export type CellKind = 'value' | 'time' | 'names' | 'problem';

const maxNames = 3;

const maxSeconds = 8_640_000_000_000;

/** A time in UTC, to the second: `2026-11-20T09:30:00Z`. */
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

const namesText = (names: readonly string[], most: number): string => {
  if (names.length === 0) return '-';
  const others = names.length - most;
  return printable(names.slice(0, most).join(', ')) + (others > 0 ? ` and ${others} more` : '');
};

/** `upstream-401 at main (config.targets[0]), attempt 1: Check the credential of the target.`; what is not known is left out. */
const problemText = ({ cause, about, target, path, attempt, hint }: JsonObject): string => {
  const place = [target, path === undefined || target === undefined ? path : `(${path})`].filter(Boolean).join(' ');
  return [
    String(cause),
    place === '' ? '' : ` at ${place}`,
    attempt === undefined ? '' : `, attempt ${attempt}`,
    about === undefined ? '' : `: ${about}`,
    hint === undefined ? '' : `${about === undefined ? ': ' : '. '}${hint}`,
  ].join('');
};

/** A member of what the gateway answers, on one line; a member that is absent or null is a dash. */
export const cellText = (value: Json | undefined, kind: CellKind = 'value'): string => {
  if (value === undefined || value === null || value === '') return '-';
  if (kind === 'time' && typeof value === 'number' && Math.abs(value) <= maxSeconds) return timeText(value);
  if (kind === 'problem' && isJsonObject(value)) return printable(problemText(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return namesText(value, kind === 'names' ? maxNames : value.length);
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
};
