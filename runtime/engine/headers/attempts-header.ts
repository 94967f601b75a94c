import { toOptionPath } from '../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

/** The header that lists the attempts of a request. */
export const attemptsHeader = 'x-gw-attempts';

const longest = 1024;
/** Room for the member that says how many more there were. */
const longestMore = 32;

type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;

/** A number of milliseconds as a Decimal with two digits: https://www.rfc-editor.org/rfc/rfc9651#name-decimals */
export const decimalMs = (ms: number): string => Math.max(0, ms).toFixed(2);

const endOf = (trail: readonly TrailEvent[], { path, attempt }: EventOf<'attempted'>): number | undefined =>
  trail.find(
    (event): event is EventOf<'settled'> =>
      event.kind === 'settled' && event.path === path && event.attempt === attempt,
  )?.ms?.end;

/** One that has not ended, as of a stream, has lasted until now. */
const member = (trail: readonly TrailEvent[], attempted: EventOf<'attempted'>, now: number): string => {
  const { path, key, status, cause, ms } = attempted;
  const keyed = key === undefined ? '' : `;key=${key}`;
  const error = cause === undefined ? '' : `;error=${cause}`;
  const lasted = ms === undefined ? '' : `;ms=${decimalMs((endOf(trail, attempted) ?? now) - ms.sent)}`;
  return `"${toOptionPath(path)}"${keyed};status=${status}${error}${lasted}`;
};

/**
 * Writes the attempts of a trail as a List of at most 1 KB (https://www.rfc-editor.org/rfc/rfc9651#name-lists): the place of each
 * target as a String, with parameters. Where there are too many, the last member is a Token, and says how many are left out. Undefined
 * if there was none.
 *
 * @param now milliseconds since the request began
 */
export const attemptsText = (trail: readonly TrailEvent[], now: number): string | undefined => {
  const attempts = trail.filter((event) => event.kind === 'attempted');
  let text = '';
  for (const [at, attempted] of attempts.entries()) {
    const next = `${text}${at === 0 ? '' : ', '}${member(trail, attempted, now)}`;
    const isLast = at === attempts.length - 1;
    if (next.length > (isLast ? longest : longest - longestMore))
      return `${text}${at === 0 ? '' : ', '}more;count=${attempts.length - at}`;
    text = next;
  }
  return text === '' ? undefined : text;
};
