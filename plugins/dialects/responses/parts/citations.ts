import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

const findSpan = (from: number | undefined, to: number | undefined): Citation['span'] | undefined =>
  from === undefined || to === undefined ? undefined : { from, to };

const findTitle = (title: string | undefined): string | undefined => (title === '' ? undefined : title);

/**
 * Decodes an annotation of a text. `end_index` is exclusive, despite the documentation, and the `index` of a file is the position
 * in the text where the file is cited. Returns undefined for an annotation without a source.
 */
export const decodeAnnotation = (wire: JsonObject): Citation | undefined => {
  const url = findText(wire.url);
  const source = findText(wire.file_id);
  if (url === undefined && source === undefined) return undefined;
  const index = findNumber(wire.index);
  return defined({
    url,
    source,
    title: findTitle(findText(wire.title) ?? findText(wire.filename)),
    span: findSpan(findNumber(wire.start_index) ?? index, findNumber(wire.end_index) ?? index),
  });
};

/**
 * Encodes an annotation. `length` is that of the text so far. A citation without a span supports all of it. Returns undefined for
 * a citation of neither a page nor a file.
 */
export const encodeAnnotation = (
  { url, title = '', source, span }: Citation,
  length: number,
): JsonObject | undefined => {
  const { from, to } = span ?? { from: 0, to: length };
  if (url !== undefined) return { type: 'url_citation', url, title, start_index: from, end_index: to };
  if (typeof source !== 'string') return undefined;
  return { type: 'file_citation', file_id: source, filename: title, index: to };
};
