import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

type Unit = NonNullable<Citation['at']>['unit'];

/** The kinds of location in a document of the request, by the unit that they count. */
const documentLocations: readonly (readonly [name: string, unit: Unit])[] = [
  ['documentChar', 'character'],
  ['documentPage', 'page'],
  ['documentChunk', 'block'],
];

const decodeAt = (location: JsonObject | undefined, unit: Unit): Citation['at'] => {
  const [from, to] = [findNumber(location?.start), findNumber(location?.end)];
  return from === undefined || to === undefined ? undefined : { unit, from, to };
};

const decodeLocation = (location: JsonObject): Pick<Citation, 'url' | 'source' | 'at'> => {
  for (const [name, unit] of documentLocations) {
    const place = findObject(location[name]);
    if (place !== undefined) return defined({ source: findNumber(place.documentIndex), at: decodeAt(place, unit) });
  }
  const result = findObject(location.searchResultLocation);
  return defined({ url: findText(findObject(location.web)?.url), at: decodeAt(result, 'block') });
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html */
export const decodeCitation = (wire: JsonObject): Citation => {
  const quotes = toObjects(wire.sourceContent).map(({ text }) => findText(text) ?? '');
  return defined({
    title: findText(wire.title),
    source: findText(wire.source),
    quote: quotes.length > 0 ? quotes.join('\n') : undefined,
    ...decodeLocation(findObject(wire.location) ?? {}),
  });
};

const encodeLocation = ({ url, source, at }: Citation): JsonObject | undefined => {
  if (url !== undefined) return { web: { url } };
  if (at === undefined) return undefined;
  const range = { start: at.from, end: at.to };
  if (typeof source !== 'number') return at.unit === 'block' ? { searchResultLocation: range } : undefined;
  const [name = ''] = documentLocations.find(([, unit]) => unit === at.unit) ?? [];
  return { [name]: { documentIndex: source, ...range } };
};

/** Encodes a citation. It has no position in the text that it supports: it supports the whole block. */
export const encodeCitation = (citation: Citation): JsonObject =>
  defined({
    title: citation.title,
    source: typeof citation.source === 'string' ? citation.source : undefined,
    sourceContent: citation.quote === undefined ? undefined : [{ text: citation.quote }],
    location: encodeLocation(citation),
  });
