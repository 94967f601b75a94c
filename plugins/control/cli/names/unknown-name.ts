import type { FoundName } from '../../../../schema/config/saved-names.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { printable } from '../show/printable.ts';
import { textMember } from './store-reader.ts';

/** Nothing is saved under the name that was looked for; these records are. */
export const unknownName = (others: readonly JsonObject[]): Extract<FoundName, { kind: 'unknown' }> => ({
  kind: 'unknown',
  names: others.flatMap((record) => {
    const slug = textMember(record, 'slug');
    return slug === undefined ? [] : [printable(slug)];
  }),
});
