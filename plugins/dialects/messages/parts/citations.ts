import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

type Unit = NonNullable<Citation['at']>['unit'];

interface Location {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** https://docs.anthropic.com/en/docs/build-with-claude/citations: ends are exclusive, and pages count from 1. */
const locations: Readonly<Record<Unit, Location>> = {
  character: { type: 'char_location', from: 'start_char_index', to: 'end_char_index' },
  page: { type: 'page_location', from: 'start_page_number', to: 'end_page_number' },
  block: { type: 'content_block_location', from: 'start_block_index', to: 'end_block_index' },
};

const units: readonly Unit[] = ['character', 'page', 'block'];

const said = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const placeIn = (wire: JsonObject, unit: Unit): Citation['at'] => {
  const { from, to } = locations[unit];
  return { unit, from: findNumber(wire[from]) ?? 0, to: findNumber(wire[to]) ?? 0 };
};

/** Returns undefined for an unknown kind. A citation supports the whole text that it belongs to. */
export const decodeCitation = (wire: JsonObject): Citation | undefined => {
  const words = {
    quote: said(findText(wire.cited_text)),
    title: said(findText(wire.document_title) ?? findText(wire.title)),
  };
  if (wire.type === 'web_search_result_location') return defined({ url: findText(wire.url), ...words });
  if (wire.type === 'search_result_location')
    return defined({ source: findText(wire.source), ...words, at: placeIn(wire, 'block') });
  const unit = units.find((each) => locations[each].type === wire.type);
  return unit === undefined
    ? undefined
    : defined({ source: findNumber(wire.document_index) ?? 0, ...words, at: placeIn(wire, unit) });
};

/** Returns a location in a document of the request. */
const inDocument = ({ source, at, title, quote = '' }: Citation): JsonObject | undefined => {
  if (typeof source !== 'number' || at === undefined) return undefined;
  const { type, from, to } = locations[at.unit];
  const document = { document_index: source, document_title: title ?? null };
  return { type, cited_text: quote, ...document, [from]: at.from, [to]: at.to };
};

/** Returns undefined for a citation that an answer cannot express. A file is written like a search result. */
export const encodeCitation = (citation: Citation): JsonObject | undefined => {
  const { url, source, at, title = null, quote = '' } = citation;
  if (url !== undefined)
    return { type: 'web_search_result_location', cited_text: quote, url, title, encrypted_index: '' };
  if (typeof source !== 'string') return inDocument(citation);
  const { from, to } = at?.unit === 'block' ? at : { from: 0, to: 1 };
  const place = { search_result_index: 0, start_block_index: from, end_block_index: to };
  return { type: 'search_result_location', cited_text: quote, source, title, ...place };
};

/**
 * Encodes the citation of a document, which is the only one that is complete in a request: that of a search has an index which
 * only its provider knows. Returns undefined for any other citation.
 */
export const encodeEarlierCitation = (citation: Citation): JsonObject | undefined =>
  citation.quote === undefined || citation.url !== undefined || citation.span !== undefined
    ? undefined
    : inDocument(citation);
