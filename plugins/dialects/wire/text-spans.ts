import { isJsonObject, type Json } from '../../../schema/json.ts';
import { objectOf } from '../../../schema/loose.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { childPointer } from '../../../schema/pointer.ts';
import { stringsIn } from '../../sdk/strings-in.ts';
import type { SpanPlace, TextSpan } from '../../sdk/text-span.ts';
import { parseDataUrl } from './data-url.ts';

export type { SpanPlace } from '../../sdk/text-span.ts';

/** The same place, further in. */
export const inside = (place: SpanPlace, ...tokens: readonly (string | number)[]): SpanPlace => ({
  ...place,
  at: childPointer(place.at, ...tokens),
});

const none: readonly TextSpan[] = [];

/** One text, at a place or further in; none if it is empty or not a text. */
export const span = (
  text: Json | undefined,
  { at: outside, kind, choice }: SpanPlace,
  ...tokens: readonly (string | number)[]
): readonly TextSpan[] => {
  if (typeof text !== 'string' || text === '') return none;
  const at = childPointer(outside, ...tokens);
  return choice === undefined ? [{ at, text, kind }] : [{ at, text, kind, choice }];
};

/** The strings in a JSON value, one per line. */
export const valueSpan = (value: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  span(stringsIn(value).join('\n'), place);

/** Arguments as JSON text: they are parsed, because escapes would hide their text. */
export const argumentsSpan = (text: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  if (typeof text !== 'string') return valueSpan(text, place);
  const value = parseJson(text);
  return value === undefined ? span(text, place) : valueSpan(value, place);
};

/** Files whose bytes are text. */
const textual = /^text\/|^application\/(?:json|xml|yaml|x-yaml)\b/i;

/** A file that is sent in base64, if it is a text: written so, no word of it is hidden. */
export const fileSpan = (mimeType: Json | undefined, data: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  typeof mimeType === 'string' && typeof data === 'string' && textual.test(mimeType)
    ? span(Buffer.from(data, 'base64').toString('utf8'), place)
    : [];

/** The same in a `data:` URL, as OpenAI's formats write files. */
const fileDataSpan = (data: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  const file = typeof data === 'string' ? parseDataUrl(data) : undefined;
  return file === undefined ? [] : fileSpan(file.mimeType, file.data, place);
};

/** Members of a part that have text, or further parts: a tool's result and a document do. */
const speaking = ['title', 'context', 'text', 'refusal', 'content'] as const;

/** The texts in the content of a message: a string, a part, or a list of parts. */
export const contentSpans = (content: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  if (typeof content === 'string') return span(content, place);
  if (Array.isArray(content)) return content.flatMap((part: Json, index) => contentSpans(part, inside(place, index)));
  if (!isJsonObject(content)) return [];
  return [
    ...speaking.flatMap((member) => contentSpans(content[member], inside(place, member))),
    ...documentSpans(content.source, inside(place, 'source')),
    ...fileDataSpan(content.file_data, inside(place, 'file_data')),
    ...fileDataSpan(objectOf(content.file)?.file_data, inside(place, 'file', 'file_data')),
  ];
};

/** A document given as text, as a file of text, or as parts. */
const documentSpans = (source: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  if (!isJsonObject(source)) return [];
  if (source.type === 'text') return span(source.data, place, 'data');
  return source.type === 'base64'
    ? fileSpan(source.media_type, source.data, inside(place, 'data'))
    : contentSpans(source.content, inside(place, 'content'));
};
