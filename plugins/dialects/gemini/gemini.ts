import { findNumber, findObject, findText } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ChoicesAsked } from '../../sdk/dialect/stream-usage.ts';
import { type NameRule, withAcceptedNames } from '../shared/request/function-names.ts';
import { classify, endFrames } from './answer/classify.ts';
import { decodeAnswer } from './answer/decode-answer.ts';
import { encodeAnswer } from './answer/encode-answer.ts';
import { readFinishReasons } from './answer/finish-reasons.ts';
import { streamDecoder } from './answer/stream-decoder.ts';
import { streamEncoder } from './answer/stream-encoder.ts';
import { findUsage } from './answer/usage.ts';
import { judgedTexts } from './checked-texts/texts.ts';
import { declaration } from './declaration.ts';
import { losses } from './losses.ts';
import { errors } from './parts/errors.ts';
import { gatewayMarks } from './parts/thought-signature.ts';
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';
import { place } from './request/place.ts';

/** https://ai.google.dev/api/generate-content#generationconfig */
const choicesAsked: ChoicesAsked = {
  mark: 'andidate',
  of(body) {
    const config = findObject(body.generationConfig) ?? findObject(body.generation_config);
    return findNumber(config?.candidateCount) ?? findNumber(config?.candidate_count);
  },
};

/** The names that the Gemini API and Vertex AI both accept: https://ai.google.dev/api/caching#FunctionDeclaration */
const functionNames: NameRule = { accepted: /^[a-zA-Z_][\w.-]{0,63}$/, refused: /[^\w.-]/g, longest: 64 };

/** Google's generateContent, of the Gemini API and of Vertex AI: https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  choicesAsked,
  errorMark: 'error',
  gatewayMarks,
  ...errors,
  ...judgedTexts,
  usage: findUsage,
  finishReasons: readFinishReasons,
  answeredBy: ({ modelVersion }) => findText(modelVersion),
  metered: { modelVersion: true, usageMetadata: true, candidates: [{ finishReason: true }] },
  joinsTexts: true,
  streamUsage: { mark: 'TokenCount"', spoken: ['text'] },
  adopt: (conversation) => withAcceptedNames(conversation, functionNames),
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
