import type { ResultContent, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { isExactObject } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { present } from '../../shared/json/present.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { toContent } from '../../shared/parts/to-content.ts';
import { type Lost, recordLoss, recordLosses } from '../../shared/request/lost.ts';
import { encodePart } from './encode-content.ts';

const encodeInner = (part: ResultContent, path: string, lost: Lost): JsonObject | undefined => {
  // A result cannot contain images. A structured value is a document, which the model can cite.
  if (part.kind === 'media' && part.media === 'image') return recordLoss(`${path}.media`, lost);
  if (part.kind === 'json' && isExactObject(part.value)) return { type: 'document', document: { data: part.value } };
  if (part.kind === 'text' && part.citations !== undefined) lost.push(`${path}.citations`);
  return encodePart({ part, path }, lost);
};

/** Writes the message of one tool's result. */
export const encodeResult = ({ part, path }: Placed<ToolResultPart>, lost: Lost): JsonObject => {
  recordLosses(part, ['name', 'failed', 'cache'], { path, lost });
  const content = present(part.parts.map((inner, index) => encodeInner(inner, `${path}.parts[${index}]`, lost)));
  return { role: 'tool', tool_call_id: part.id, content: toContent(content) };
};
