import type { TextPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { decodeTokens, encodeTokens } from '../../shared/parts/token-logprobs.ts';
import { decodeAnnotation, encodeAnnotation } from './citations.ts';

/** Decodes a text of the model with its citations, in an answer or in the history of a request. */
export const decodeOutputText = (wire: JsonObject): TextPart => {
  const logprobs = decodeTokens(wire.logprobs);
  const citations = present(toObjects(wire.annotations).map(decodeAnnotation));
  return defined({
    kind: 'text' as const,
    text: findText(wire.text) ?? '',
    citations: citations.length > 0 ? citations : undefined,
    logprobs: logprobs.length > 0 ? logprobs : undefined,
  });
};

export const outputText = (
  text: string,
  annotations: readonly JsonObject[] = [],
  logprobs: readonly JsonObject[] = [],
): JsonObject => ({ type: 'output_text', text, annotations, logprobs });

export const encodeOutputText = ({ text, citations = [], logprobs = [] }: TextPart): JsonObject =>
  outputText(
    text,
    present(citations.map((citation) => encodeAnnotation(citation, text.length))),
    encodeTokens(logprobs, []),
  );
