import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { Member, Members } from '../../../sdk/dialect/members.ts';
import { defaultReading, type SpanPlace, type TextReading, type TextSpan } from '../../../sdk/dialect/text-span.ts';
import { firstJudgedTurn, type Speaker } from './first-judged-turn.ts';
import { MemberReader, type ReadTexts, readMembers } from './read-members.ts';
import { inside } from './text-spans.ts';

/** Describes how the requests of a dialect are read. */
export interface RequestFormat {
  readonly members: Members;
  /** The member with the turns, and the table of a turn. */
  readonly turns: string;
  readonly turn: Member;
  readSpeaker(turn: JsonObject): Speaker;
  /** Whether a request without turns has its text elsewhere. Absent: such a request does not belong to the dialect. */
  mayLackTurns?(body: JsonObject): boolean;
}

/** The members `texts` and `earlierTexts` of a dialect, for requests. */
export interface RequestTexts {
  judged(body: JsonObject, reading?: TextReading): readonly TextSpan[] | undefined;
  earlier(body: JsonObject, reading?: TextReading): readonly TextSpan[];
}

const place: SpanPlace = { at: rootPointer, kind: 'text' };

/**
 * Returns the texts that were read, or undefined if something cannot be read, or if there are only media, whose words no check
 * can read: checks that may deny then do so. Media beside a text are not read.
 */
const readableTexts = ({ spans, hasMedia, isUnreadable }: ReadTexts): readonly TextSpan[] | undefined =>
  isUnreadable || (hasMedia && spans.every(({ isName }) => isName === true)) ? undefined : spans;

/** Whether turns can be read. A single turn, or a text, in place of a list is judged, because a lenient provider may read it. */
const isReadable = (turns: Json | undefined): boolean =>
  typeof turns === 'string' || (typeof turns === 'object' && turns !== null);

/** Divides the texts of requests into those that are judged, and those that come before them or were judged earlier. */
export const requestTexts = ({ members, turns, turn, readSpeaker, mayLackTurns }: RequestFormat): RequestTexts => {
  const { [turns]: whole, ...others } = members;
  const rest: Member = { is: 'object', members: { ...others, [turns]: { is: 'echo' } } };
  const readTurns = (reader: MemberReader, items: readonly Json[], from: number): void => {
    const at = inside(place, turns);
    for (const [index, item] of items.entries()) reader.read(turn, item, inside(at, from + index));
  };
  return {
    judged(body, reading = defaultReading) {
      const given = body[turns];
      const items = findItems(given);
      if (!isReadable(given) && mayLackTurns?.(body) !== true) return undefined;
      const reader = new MemberReader({ place, unknown: reading.unknown });
      if (items !== undefined) {
        const from = firstJudgedTurn(items, readSpeaker, reading.turns);
        readTurns(reader, items.slice(from), from);
      } else if (whole !== undefined && given !== undefined) reader.read(whole, given, inside(place, turns));
      reader.read(rest, body, place);
      return readableTexts(reader);
    },
    earlier(body, reading = defaultReading) {
      const reader = new MemberReader({ place, unknown: reading.unknown });
      for (const [name, member] of Object.entries(members)) {
        const value = body[name];
        if (member.is === 'before' && value !== undefined) reader.read(member.member, value, inside(place, name));
      }
      const items = findItems(body[turns]) ?? [];
      readTurns(reader, items.slice(0, firstJudgedTurn(items, readSpeaker, reading.turns)), 0);
      return reader.spans;
    },
  };
};

/** Returns the texts of a body that is read as a whole, such as an answer, or undefined if it cannot be read. */
export const bodyTexts = (
  member: Member,
  body: JsonObject,
  { unknown }: Pick<TextReading, 'unknown'> = defaultReading,
  at: SpanPlace = place,
): readonly TextSpan[] | undefined => readableTexts(readMembers(member, body, { place: at, unknown }));
