import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import type { AnswerText } from './answer-text.ts';

/** A citation of one of the texts of an answer. */
export interface PlacedCitation {
  readonly block: number;
  readonly citation: Citation;
}

const decodeChunk = (chunk: JsonObject): Citation => {
  const source = findObject(chunk.web) ?? findObject(chunk.retrievedContext) ?? findObject(chunk.maps) ?? {};
  return defined({
    url: findText(source.uri),
    title: findText(source.title),
    quote: findText(source.text),
    source: findText(source.documentName),
  });
};

const supportCitations = (
  support: JsonObject,
  chunks: readonly Citation[],
  { said, starts }: Spoken,
): readonly PlacedCitation[] => {
  const segment = findObject(support.segment) ?? {};
  const start = starts[findNumber(segment.partIndex) ?? 0] ?? 0;
  const place = said.find(start + (findNumber(segment.startIndex) ?? 0), start + (findNumber(segment.endIndex) ?? 0));
  if (place === undefined) return [];
  return (findItems(support.groundingChunkIndices) ?? []).flatMap((index) => {
    const chunk = chunks[findNumber(index) ?? -1];
    return chunk === undefined ? [] : [{ block: place.block, citation: { ...chunk, span: place.span } }];
  });
};

/** The text of the answer, and the byte at which each of its parts begins. */
export interface Spoken {
  readonly said: AnswerText;
  readonly starts: readonly number[];
}

/**
 * Decodes `groundingMetadata`: its sources, with the texts that they support. A source that supports no text is cited as a whole.
 */
export const decodeGrounding = (metadata: JsonObject, spoken: Spoken): readonly PlacedCitation[] => {
  const chunks = toObjects(metadata.groundingChunks).map(decodeChunk);
  const supports = toObjects(metadata.groundingSupports);
  const used = new Set<Json>(supports.flatMap(({ groundingChunkIndices }) => findItems(groundingChunkIndices) ?? []));
  const block = spoken.said.lastBlock;
  const rest = block === undefined ? [] : chunks.filter((_, at) => !used.has(at));
  return [
    ...supports.flatMap((support) => supportCitations(support, chunks, spoken)),
    ...rest.map((citation) => ({ block: block ?? 0, citation })),
  ];
};

/** Decodes `citationMetadata`, whose list has another name on Vertex AI: passages that the model recited. */
export const decodeRecitations = (metadata: JsonObject, { said }: Spoken): readonly PlacedCitation[] =>
  [...toObjects(metadata.citationSources), ...toObjects(metadata.citations)].flatMap((source) => {
    const place = said.find(findNumber(source.startIndex) ?? 0, findNumber(source.endIndex) ?? 0);
    if (place === undefined) return [];
    const { block, span } = place;
    return [{ block, citation: defined({ url: findText(source.uri), title: findText(source.title), span }) }];
  });

const isPage = (url: string): boolean => /^https?:/i.test(url);

/** Writes web pages to `web`, without the words that are cited from them, because clients show no other sources. */
const encodeChunk = ({ url, title, quote, source }: Citation): JsonObject => {
  const documentName = typeof source === 'string' ? source : undefined;
  const isWeb = documentName === undefined && (quote === undefined || (url !== undefined && isPage(url)));
  if (isWeb) return { web: defined({ uri: url, title }) };
  return { retrievedContext: defined({ uri: url, title, text: quote, documentName }) };
};

/** Returns the `groundingMetadata` for the citations, or undefined if there are none. */
export const encodeGrounding = (citations: readonly PlacedCitation[], said: AnswerText): JsonObject | undefined => {
  if (citations.length === 0) return undefined;
  return {
    groundingChunks: citations.map(({ citation }) => encodeChunk(citation)),
    groundingSupports: citations.flatMap(({ block, citation: { span } }, at) => {
      if (span === undefined) return [];
      const { from, to, text } = said.toBytes(block, span);
      return [{ segment: { startIndex: from, endIndex: to, text }, groundingChunkIndices: [at] }];
    }),
  };
};
