import { numberOf, objectOf, textOf } from '../../../schema/json/loose.ts';
import type { ChoicesAsked, Dialect } from '../../sdk/dialect/dialect.ts';
import { classify, endFrames } from './classify.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeError, decodeStreamError, encodeStreamError, encodeWireError, retryAfter } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { place } from './place.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { judgedTexts } from './texts.ts';
import { gatewayMarks } from './thought-signature.ts';
import { usageOf } from './usage.ts';

/** https://ai.google.dev/api/generate-content#generationconfig */
const choicesAsked: ChoicesAsked = {
  mark: 'andidate',
  of(body) {
    const config = objectOf(body.generationConfig) ?? objectOf(body.generation_config);
    return numberOf(config?.candidateCount) ?? numberOf(config?.candidate_count);
  },
};

/** Google's generateContent, of the Gemini API and of Vertex AI: https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  choicesAsked,
  errorMark: 'error',
  gatewayMarks,
  encodeStreamError,
  decodeError,
  retryAfter,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  answeredBy: ({ modelVersion }) => textOf(modelVersion),
  metered: { modelVersion: true, usageMetadata: true, candidates: [{ finishReason: true }] },
  joinsTexts: true,
  streamUsage: { mark: 'TokenCount"', spoken: ['text'] },
  conversation: {
    losses,
    decodeRequest,
    encodeRequest,
    decodeAnswer,
    encodeAnswer,
    streamDecoder,
    streamEncoder,
  },
};
