import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { present } from '../../shared/json/present.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { toInput } from '../../shared/request/call-input.ts';
import { encodeClientReasoning } from '../parts/bound-values.ts';
import { callBlock } from '../parts/calls.ts';
import { encodeCitation } from '../parts/citations.ts';
import { encodeGeneratedMedia } from '../parts/encode-media.ts';
import { encodeFinish } from './finish-reasons.ts';
import { unknownMetrics } from './latency.ts';
import { encodeUsage } from './usage.ts';

const encodeText = ({ text, citations }: TextPart): JsonObject =>
  citations === undefined
    ? { text }
    : { citationsContent: { content: [{ text }], citations: citations.map(encodeCitation) } };

/** Encodes a part as a content block. Returns nothing if the format cannot express it. */
const encodeBlock = (part: Part): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [encodeText(part)];
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'reasoning':
      return [{ reasoningContent: encodeClientReasoning(part) }];
    case 'tool-call':
      return [callBlock(part, toInput(part))];
    case 'media': {
      const media = encodeGeneratedMedia(part);
      return media === undefined ? [] : [{ image: { ...media } }];
    }
    case 'server-tool-call':
    case 'server-tool-result':
    case 'other':
      return present([ownValue(part, 'converse')]);
    default:
      return [];
  }
};

const isRefusal = (part: Part): boolean => part.kind === 'refusal';

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax. The
 * format has only one answer, so the first choice is written.
 */
export const encodeAnswer = (answer: Answer): JsonObject => {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  const body: JsonObject = {
    output: { message: { role: 'assistant', content: parts.flatMap(encodeBlock) } },
    ...encodeFinish(choice?.finish ?? { reason: 'stop' }, parts.some(isRefusal)),
    ...encodeUsage(answer.usage),
    ...unknownMetrics,
  };
  return mergeJson(body, answer.extensions.converse ?? {});
};
