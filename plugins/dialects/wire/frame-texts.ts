import type { Json } from '../../../schema/json.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { fromPointer, rootPointer, toPointer } from '../../../schema/pointer.ts';
import type { Dialect, Frame } from '../../sdk/dialect.ts';
import type { Member } from '../../sdk/members.ts';
import type { FrameTexts, SpanPlace, TextSpan } from '../../sdk/text-span.ts';
import { readMembers } from './read-members.ts';
import { span } from './text-spans.ts';

const namedData = ({ event }: Frame, value: Json): Json => (event === undefined ? value : { [event]: value });

/** The same place whatever the name of the event is: a text may go on in the events of another name. */
const unnamed = (span: TextSpan): TextSpan => ({ ...span, at: toPointer(fromPointer(span.at).slice(1)) });

const place: SpanPlace = { at: rootPointer, kind: 'other' };

/** No event tells what is no JSON, except for the mark at the end of many streams. */
const otherData = (data: string): FrameTexts => ({ untold: data === '[DONE]' ? [] : span(data, place), told: [] });

/**
 * Reads frames by their table. `named` is for framings that name the event beside the data: the table is then that of an
 * object with this name.
 */
export const frameTexts =
  (member: Member, { named = false }: { readonly named?: boolean } = {}): NonNullable<Dialect['frameTexts']> =>
  (frame, unknown = 'judge') => {
    const value = parseJson(frame.data);
    if (value === undefined) return otherData(frame.data);
    const own = named ? namedData(frame, value) : value;
    const { spans, told, isUnreadable } = readMembers(member, own, { place, unknown, isFrame: true });
    return isUnreadable ? undefined : { untold: named ? spans.map(unnamed) : spans, told };
  };
