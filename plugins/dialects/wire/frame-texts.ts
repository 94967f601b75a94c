import type { Json } from '../../../schema/json.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { Dialect, Frame } from '../../sdk/dialect.ts';
import type { Member } from '../../sdk/members.ts';
import { readMembers } from './read-members.ts';

const dataOf = ({ event, data }: Frame): Json | undefined => {
  const value = parseJson(data);
  return event === undefined || value === undefined ? value : { [event]: value };
};

/**
 * Reads frames by their table: what it does not list, and what it marks as untold. `named` is for framings that name the
 * event beside the data: the table is then that of an object with this name.
 */
export const untoldTexts =
  (member: Member, { named = false }: { readonly named?: boolean } = {}): NonNullable<Dialect['untoldTexts']> =>
  (frame, unknown = 'judge') => {
    const value = named ? dataOf(frame) : parseJson(frame.data);
    if (value === undefined) return [];
    const read = readMembers(member, value, {
      place: { at: rootPointer, kind: 'other' },
      unknown,
      isFrame: true,
    });
    return read.isUnreadable ? undefined : read.spans;
  };
