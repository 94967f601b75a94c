import type { Citation, TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

/** Cohere numbers documents that have no id of their own. */
const numbered = /^doc:(\d+)$/;

const sourceId = (id: string | undefined): Citation['source'] => {
  const number = id === undefined ? undefined : numbered.exec(id)?.[1];
  return number === undefined ? id : Number(number);
};

/** Decodes a source: a document, or the output of a tool. Both are objects that usually have these members. */
const decodeSource = (source: JsonObject): Citation => {
  const document = findObject(source.document) ?? findObject(source.tool_output) ?? {};
  return defined({
    url: findText(document.url),
    title: findText(document.title),
    quote: findText(document.text) ?? findText(document.snippet),
    source: sourceId(findText(source.id) ?? findText(document.id)),
  });
};

/** Decodes a citation, which may have several sources: https://docs.cohere.com/docs/rag-citations */
export const decodeCitation = (wire: JsonObject): readonly Citation[] => {
  const from = findNumber(wire.start);
  const to = findNumber(wire.end);
  const span = from === undefined || to === undefined ? undefined : { from, to };
  const sources = toObjects(wire.sources);
  return (sources.length > 0 ? sources : [{}]).map((source) => defined({ ...decodeSource(source), span }));
};

/** Whether a citation supports the text of the answer, rather than the model's thinking or its plan. */
export const isOfText = ({ type }: JsonObject): boolean =>
  type === undefined || type === null || type === 'TEXT_CONTENT';

const encodeSource = ({ url, title, quote, source }: Citation): JsonObject => {
  const id = typeof source === 'number' ? `doc:${source}` : source;
  const document = defined({ id, title, url, text: quote });
  return defined({ type: 'document', id, document: Object.keys(document).length > 0 ? document : undefined });
};

const isSameSpan = (a: Citation, b: Citation): boolean => a.span?.from === b.span?.from && a.span?.to === b.span?.to;

/** Encodes citations. `index` is that of the block in the message's content. Adjacent citations of the same words become one. */
export const encodeCitations = (
  { text, citations = [] }: Pick<TextPart, 'text' | 'citations'>,
  index: number,
): readonly JsonObject[] => {
  const groups: Citation[][] = [];
  for (const citation of citations) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isSameSpan(group[0], citation)) group.push(citation);
    else groups.push([citation]);
  }
  return groups.map((group) => {
    const span = group[0]?.span;
    return defined({
      start: span?.from,
      end: span?.to,
      text: span === undefined ? undefined : text.slice(span.from, span.to),
      sources: group.map(encodeSource),
      content_index: index,
      type: 'TEXT_CONTENT',
    });
  });
};
