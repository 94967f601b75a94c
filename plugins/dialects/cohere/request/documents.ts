import type { MediaPart, ResultContent } from '../../../../schema/conversation/conversation.ts';
import { exactText, withExactNumbers } from '../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parseExactObject } from '../../../../schema/json/parse-json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';

const plain: ReadonlySet<string> = new Set(['text', 'snippet', 'title']);

/** Returns a document's words: its text, or all of its members if it has others. */
const readWords = (data: JsonObject): string => {
  const text = findText(data.text) ?? findText(data.snippet);
  return text === undefined || omit(data, plain) !== undefined ? exactText(data) : text;
};

/**
 * Decodes a document of a request, which is a text or an object with `data`: https://docs.cohere.com/docs/documents-and-citations
 */
export const decodeDocument = (wire: Member): MediaPart => {
  const data = typeof wire.value === 'string' ? wire.value : wire.at('data').value;
  if (typeof data !== 'string' && !isJsonObject(data)) return wire.at('data').fail('must be an object or a string');
  return defined({
    kind: 'media' as const,
    media: 'document' as const,
    source: {
      kind: 'base64' as const,
      mimeType: 'text/plain',
      data: Buffer.from(typeof data === 'string' ? data : readWords(data), 'utf8').toString('base64'),
    },
    name: typeof data === 'string' ? undefined : findText(data.title),
  });
};

/** Returns the text of a document, if it has one. */
export const documentText = ({ media, source }: MediaPart): string | undefined =>
  media === 'document' && source.kind === 'base64' && source.mimeType.startsWith('text/')
    ? Buffer.from(source.data, 'base64').toString('utf8')
    : undefined;

export const encodeDocument = (text: string, name: string | undefined): JsonObject => ({
  data: defined({ text, title: name }),
});

/**
 * Decodes a document in a tool's result as its structured value. If it has an id, the value includes it, so that the model sees
 * it.
 */
export const decodeResultDocument = (document: Member): ResultContent => {
  const data = document.at('data').value;
  const id = document.at('id').maybeText();
  if (typeof data !== 'string' && !isJsonObject(data)) return document.at('data').fail('must be an object or a string');
  const object = typeof data === 'string' ? parseExactObject(data) : data;
  const value = object && withExactNumbers(object);
  if (value !== undefined) return { kind: 'json', value: id === undefined ? value : { id, ...value } };
  const text = String(data);
  return id === undefined ? { kind: 'text', text } : { kind: 'json', value: { id, text } };
};
