import type { ResultContent, ToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { isExactObject } from '../../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { present } from '../../shared/json/present.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import { encodePart, type Placed } from './encode-content.ts';

const encodeInner = (part: ResultContent, path: string, lost: Lost): JsonObject | undefined => {
  // A result cannot contain images. A structured value is a document, which the model can cite.
  if (part.kind === 'media' && part.media === 'image') return recordLoss(`${path}.media`, lost);
  if (part.kind === 'json' && isExactObject(part.value)) return { type: 'document', document: { data: part.value } };
  if (part.kind === 'text' && part.citations !== undefined) lost.push(`${path}.citations`);
  return encodePart({ part, path }, lost);
};

/** Returns blocks as content. A single text becomes a string. */
const toContent = (blocks: readonly JsonObject[]): Json => {
  const [first, ...more] = blocks;
  if (first === undefined) return '';
  return more.length === 0 && first.type === 'text' ? (first.text ?? '') : blocks;
};

/** Writes the message of one tool's result. */
export const encodeResult = ({ part, path }: Placed<ToolResultPart>, lost: Lost): JsonObject => {
  for (const member of ['name', 'failed', 'cache'] as const)
    if (part[member] !== undefined) lost.push(`${path}.${member}`);
  const content = present(part.parts.map((inner, index) => encodeInner(inner, `${path}.parts[${index}]`, lost)));
  return { role: 'tool', tool_call_id: part.id, content: toContent(content) };
};
