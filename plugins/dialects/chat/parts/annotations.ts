import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { lastUpTo } from '../../shared/json/last-up-to.ts';

/** The position and length of one text of a choice in the content, which is all of its texts joined. */
export interface Stretch {
  readonly from: number;
  readonly length: number;
}

/** https://platform.openai.com/docs/api-reference/chat/object: only web pages can be written as sources. */
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

/** Returns the annotations that are not citations, as they came. */
export const otherAnnotations = (annotations: Json | undefined): readonly JsonObject[] =>
  toObjects(annotations).filter((each) => !isRead(each));

/** Returns the annotations that are citations. */
export const citingAnnotations = (annotations: Json | undefined): readonly JsonObject[] =>
  toObjects(annotations).filter(isRead);

/** Returns citations, each with the number of the text that it belongs to. Some providers add the cited words as `content`. */
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
