import type {
  JsonPart,
  MediaPart,
  ResultContent,
  TextPart,
  ToolResultPart,
} from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { encodeMedia } from '../parts/media.ts';
import { unknownFunction } from './call-ids.ts';
import type { ContentContext } from './encode-content.ts';
import { decodeResponse, encodeResponse } from './function-response.ts';

export interface EncodedResult {
  readonly id: string;
  readonly wire: JsonObject;
  /** Media that the target does not accept inside results, which follow them. */
  readonly after: readonly JsonObject[];
}

type Kept = TextPart | JsonPart | MediaPart;

/** Returns the part without anything that a response cannot carry. */
const keep = (part: ResultContent, path: string, { lost }: ContentContext): readonly Kept[] => {
  switch (part.kind) {
    case 'text':
      if (part.cache !== undefined) lost.push(`${path}.cache`);
      return [{ kind: 'text', text: part.text }];
    case 'json':
      return [{ kind: 'json', value: part.value }];
    case 'media':
      return [part];
    case 'other':
      lost.push(`${path}.other`);
      return [];
  }
};

const isMedia = (part: Kept): part is MediaPart => part.kind === 'media';
const isValue = (part: Kept): part is TextPart | JsonPart => part.kind !== 'media';

/** Returns a key that distinguishes parts, to compare their order. */
const trace = (part: Kept | ResultContent): string => (part.kind === 'media' ? 'media' : JSON.stringify(part));

/** Whether a response reads back as the same parts. It is one object, with media beside it. */
const readsBack = (parts: readonly Kept[], response: JsonObject): boolean => {
  const decoded = [...decodeResponse(response).parts, ...parts.filter(isMedia)].map(trace);
  return decoded.join() === parts.map(trace).join();
};

const toName = ({ id, name }: ToolResultPart, path: string, { lost, names }: ContentContext): string => {
  const known = names.get(id)?.name ?? unknownFunction;
  // When read back, this is not a name of the result's own.
  if (name === known) lost.push(`${path}.name`);
  return name ?? known;
};

/** Encodes a `functionResponse`: https://ai.google.dev/api/caching#FunctionResponse */
export const encodeResult = (result: ToolResultPart, path: string, context: ContentContext): EncodedResult => {
  const { lost, hasMediaResults } = context;
  const placed = result.parts.flatMap((part, index) => {
    const at = `${path}.parts[${index}]`;
    return keep(part, at, context).map((kept) => ({ kept, at }));
  });
  const response = encodeResponse(placed.map(({ kept }) => kept).filter(isValue), result.failed === true);
  const media = placed.flatMap(({ kept, at }) => {
    const wire = isMedia(kept) ? encodeMedia(kept, at, lost) : undefined;
    if (wire !== undefined && !hasMediaResults) lost.push(`${at}.media`);
    return wire === undefined ? [] : [wire];
  });
  if (
    !readsBack(
      placed.map(({ kept }) => kept),
      response,
    )
  )
    lost.push(`${path}.parts`);
  if (result.cache !== undefined) lost.push(`${path}.cache`);
  const functionResponse = defined({
    id: result.id,
    name: toName(result, path, context),
    response,
    parts: hasMediaResults && media.length > 0 ? media : undefined,
  });
  return { id: result.id, wire: { functionResponse }, after: hasMediaResults ? [] : media };
};
