import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../wire/json/defined.ts';
import { lastUpTo } from '../../wire/json/last-up-to.ts';

/** A text of a choice: where it begins in the content, which is all texts joined, and how long it is. */
export interface Stretch {
  readonly from: number;
  readonly length: number;
}

/** https://platform.openai.com/docs/api-reference/chat/object: a page on the web is the only source that can be written. */
export const encodeAnnotation = (
  { url, title, quote, span }: Citation,
  { from, length }: Stretch,
): readonly JsonObject[] => {
  if (url === undefined) return [];
  const { from: start, to: end } = span ?? { from: 0, to: length };
  const place = { start_index: from + start, end_index: from + end };
  return [{ type: 'url_citation', url_citation: defined({ ...place, url, title: title ?? '', content: quote }) }];
};

const isRead = (annotation: JsonObject): boolean =>
  annotation.type === 'url_citation' && findText(findObject(annotation.url_citation)?.url) !== undefined;

/** The annotations that are no citations, as they came. */
export const otherAnnotations = (annotations: Json | undefined): readonly JsonObject[] =>
  toObjects(annotations).filter((each) => !isRead(each));

/** The annotations that are citations. */
export const citingAnnotations = (annotations: Json | undefined): readonly JsonObject[] =>
  toObjects(annotations).filter(isRead);

/** Citations, each with the number of the text that it belongs to. Some providers add the cited words as `content`. */
export const decodeAnnotations = (
  annotations: Json | undefined,
  texts: readonly Stretch[],
): readonly { readonly text: number; readonly citation: Citation }[] =>
  citingAnnotations(annotations).map((annotation) => {
    const wire = findObject(annotation.url_citation) ?? {};
    const start = findNumber(wire.start_index);
    const end = findNumber(wire.end_index);
    const text = lastUpTo(texts.length, (index) => texts[index]?.from ?? 0, start ?? 0);
    const from = texts[text]?.from ?? 0;
    const title = findText(wire.title) ?? '';
    return {
      text,
      citation: defined({
        url: findText(wire.url),
        title: title === '' ? undefined : title,
        quote: findText(wire.content),
        span: start === undefined || end === undefined ? undefined : { from: start - from, to: end - from },
      }),
    };
  });
