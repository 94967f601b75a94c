import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { callPart } from '../parts/calls.ts';
import { mediaData } from '../parts/media.ts';

/** Encodes a part of an answer other than reasoning. Returns undefined if the format cannot express it. */
export const answerPart = (part: Part): JsonObject | undefined => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? undefined : { text: part.text };
    case 'json':
      return { text: JSON.stringify(part.value) };
    case 'tool-call':
      return callPart(part);
    case 'media':
      return mediaData(part);
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return ownValue(part, 'gemini');
    default:
      return undefined;
  }
};
