import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import { fromPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { Dialect, Frame } from '../../../sdk/dialect/dialect.ts';
import type { Member } from '../../../sdk/dialect/members.ts';
import type { SpanPlace, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { readMembers } from './read-members.ts';
import { inside, nameSpan, span } from './text-spans.ts';

const namedData = ({ event }: Frame, value: Json): Json => (event === undefined ? value : { [event]: value });

/** Returns the same place whatever the event is called, because a text may continue in events with another name. */
const unnamed = (span: TextSpan): TextSpan => ({ ...span, at: toPointer(fromPointer(span.at).slice(1)) });

const place: SpanPlace = { at: rootPointer, kind: 'other' };

const unescaped = (text: string): string =>
  text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * Returns the texts of data that is not JSON, which no event reports, except for the mark at the end of many streams. A lenient
 * client may read escapes in it as those of JSON.
 */
const otherData = (data: string): readonly TextSpan[] => {
  if (data === '[DONE]') return [];
  const read = unescaped(data);
  return read === data ? span(data, place) : [...span(data, place), ...span(read, place)];
};

/** Event names that server-sent events of any format may have: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const commonEvents: ReadonlySet<string> = new Set(['message', 'error']);

/** Returns the names of the events that a table documents. */
const readEvents = (member: Member): ReadonlySet<string> =>
  member.is === 'variants' ? new Set([...commonEvents, ...Object.keys(member.cases)]) : commonEvents;

/** The values of `:message-type`: https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html */
const messageTypes: ReadonlySet<string> = new Set(['event', 'exception', 'error']);

const headerTexts = ([name, value]: readonly [string, string]): readonly TextSpan[] => {
  if (name === ':message-type' && messageTypes.has(value)) return [];
  const at = inside(place, ':headers', name);
  return name.startsWith(':') ? span(value, at) : [...nameSpan(name, at), ...span(value, at)];
};

/**
 * Reads frames by their table. Set `named` for framings that name the event beside the data: the table then describes an object
 * whose member has this name.
 */
export const frameTexts = (
  member: Member,
  { named = false }: { readonly named?: boolean } = {},
): NonNullable<Dialect['frameTexts']> => {
  const events = readEvents(member);
  /** Reads the members of a frame beside its data, which a client of the same format gets. */
  const besideData = ({ event, headers }: Frame, value: Json | undefined): readonly TextSpan[] => {
    const type = value !== undefined && isJsonObject(value) ? value.type : undefined;
    const isKnown = event === undefined || named || event === type || events.has(event);
    const name = isKnown ? [] : nameSpan(event, place);
    return headers === undefined ? name : [...name, ...Object.entries(headers).flatMap(headerTexts)];
  };
  return (frame, unknown = 'judge') => {
    const value = parseExactJson(frame.data);
    const beside = unknown === 'judge' ? besideData(frame, value) : [];
    if (value === undefined) return { unreported: [...beside, ...otherData(frame.data)], reported: [] };
    const own = named ? namedData(frame, value) : value;
    const { spans, reported, isUnreadable } = readMembers(member, own, { place, unknown, isFrame: true });
    if (isUnreadable) return undefined;
    const unnamedSpans = named ? spans.map(unnamed) : spans;
    return { unreported: beside.length === 0 ? unnamedSpans : [...beside, ...unnamedSpans], reported };
  };
};
