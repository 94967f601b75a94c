import type { JsonObject } from '../../../schema/json.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { Member } from '../../sdk/members.ts';
import { defaultReading, type TextReading, type TextSpan } from '../../sdk/text-span.ts';
import { readMembers } from './read-members.ts';
import { readableTexts } from './request-texts.ts';

/** The texts of an answer of a format whose answers have one choice; undefined if it cannot be read. */
export const oneAnswerTexts = (
  member: Member,
  body: JsonObject,
  { unknown }: Pick<TextReading, 'unknown'> = defaultReading,
): readonly TextSpan[] | undefined =>
  readableTexts(readMembers(member, body, { place: { at: rootPointer, kind: 'text', choice: 0 }, unknown }));
