import { LRUCache } from 'lru-cache';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';

/** The header that lists the attempts of a request. */
export const attemptsHeader = 'x-gw-attempts';

// The same leaves answer many times, but callers' configs can have any number of them.
const optionPaths = new LRUCache<JsonPointer, string>({ max: 1000 });

/**
 * Returns the place of a leaf as written in answer headers: the result of `toOptionPath`, which takes longer to compute than to
 * look up.
 */
export const optionPath = (path: JsonPointer): string => {
  const known = optionPaths.get(path);
  if (known !== undefined) return known;
  const written = toOptionPath(path);
  optionPaths.set(path, written);
  return written;
};

const longest = 1024;
/** Space for the member that counts the omitted ones. */
const longestMore = 32;

/** Returns milliseconds as a Decimal with two digits: https://www.rfc-editor.org/rfc/rfc9651#name-decimals */
export const decimalMs = (ms: number): string => {
  const hundredths = Math.round(Math.max(0, ms) * 100);
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
};

const endOf = (trail: readonly TrailEvent[], { path, attempt }: TrailEventOf<'attempted'>): number | undefined => {
  for (const event of trail)
    if (event.kind === 'settled' && event.path === path && event.attempt === attempt) return event.ms?.end;
  return undefined;
};

/** An attempt that has not ended, such as a stream, has lasted until now. */
const member = (trail: readonly TrailEvent[], attempted: TrailEventOf<'attempted'>, now: number): string => {
  const { path, key, status, cause, ms } = attempted;
  const keyed = key === undefined ? '' : `;key=${key}`;
  const error = cause === undefined ? '' : `;error=${cause}`;
  const lasted = ms === undefined ? '' : `;ms=${decimalMs((endOf(trail, attempted) ?? now) - ms.sent)}`;
  return `"${optionPath(path)}"${keyed};status=${status}${error}${lasted}`;
};

/**
 * Writes the attempts of a trail as a List of at most 1 KB (https://www.rfc-editor.org/rfc/rfc9651#name-lists): the place of each
 * target as a String, with parameters. If there are too many, the last member is a Token that says how many are omitted.
 * Undefined if there were no attempts.
 *
 * @param now milliseconds since the request began
 */
export const attemptsText = (trail: readonly TrailEvent[], now: number): string | undefined => {
  let left = 0;
  for (const { kind } of trail) if (kind === 'attempted') left += 1;
  let text = '';
  for (const event of trail) {
    if (event.kind !== 'attempted') continue;
    const before = text === '' ? '' : `${text}, `;
    const next = before + member(trail, event, now);
    if (next.length > (left === 1 ? longest : longest - longestMore)) return `${before}more;count=${left}`;
    left -= 1;
    text = next;
  }
  return text === '' ? undefined : text;
};
