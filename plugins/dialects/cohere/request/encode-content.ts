import type { MediaPart, ReasoningPart, TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { isCloudFileUrl } from '../../shared/parts/cloud-file-url.ts';
import { toDataUrl } from '../../shared/parts/data-url.ts';
import { extended, ownValue } from '../../shared/parts/own-value.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { shownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import { documentText } from './documents.ts';

const encodeText = ({ part, path }: Placed<TextPart>, lost: Lost): JsonObject | undefined => {
  if (part.text === '') return recordLoss(`${path}.text`, lost);
  if (part.logprobs !== undefined) lost.push(`${path}.logprobs`);
  return { type: 'text', text: part.text };
};

const encodeMedia = ({ part, path }: Placed<MediaPart>, lost: Lost): JsonObject | undefined => {
  const { media, source, name, detail } = part;
  const text = documentText(part);
  if (text !== undefined) {
    lost.push(`${path}.media`);
    return text === '' ? undefined : { type: 'text', text };
  }
  const isElsewhere = source.kind === 'file' || (source.kind === 'url' && isCloudFileUrl(source.url));
  if (media !== 'image' || isElsewhere) return recordLoss(`${path}.media`, lost);
  if (name !== undefined) lost.push(`${path}.name`);
  const url = source.kind === 'url' ? source.url : toDataUrl(source);
  return extended({ type: 'image_url', image_url: defined({ url, detail }) as JsonObject }, part, 'cohere');
};

/**
 * Encodes thinking. Omits thinking that another provider signed or encrypted, which is of no use here; thinking of this format is
 * never signed or encrypted.
 */
const encodeThinking = ({ part, path }: Placed<ReasoningPart>, lost: Lost): JsonObject | undefined => {
  const text = shownReasoning(part);
  if (part.bound !== undefined || text === '') return recordLoss(`${path}.reasoning`, lost);
  if (part.summary !== undefined) lost.push(`${path}.summary`);
  return { type: 'thinking', thinking: text };
};

/** Encodes one block of a message's content. Returns undefined if the format cannot express the part. */
export const encodePart = (placed: Placed, lost: Lost): JsonObject | undefined => {
  const { part, path } = placed;
  if ('cache' in part && part.cache !== undefined) lost.push(`${path}.cache`);
  switch (part.kind) {
    case 'text':
      return encodeText({ part, path }, lost);
    case 'media':
      return encodeMedia({ part, path }, lost);
    case 'reasoning':
      return encodeThinking({ part, path }, lost);
    case 'refusal':
      lost.push(`${path}.refusal`);
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'json':
      lost.push(`${path}.json`);
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'server-tool-result':
      lost.push(`${path}.server-tool-result`);
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'other':
      return ownValue(part, 'cohere') ?? recordLoss(`${path}.other`, lost);
    default:
      return recordLoss(`${path}.${part.kind}`, lost);
  }
};
