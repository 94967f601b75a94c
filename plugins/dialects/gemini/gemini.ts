import { textOf } from '../../../schema/loose.ts';
import type { Dialect } from '../../sdk/dialect.ts';
import { classify, endFrames } from './classify.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeError, decodeStreamError, encodeStreamError, encodeWireError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { place } from './place.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { earlierTexts, frameTexts, members, texts } from './texts.ts';
import { gatewayMarks } from './thought-signature.ts';
import { usageOf } from './usage.ts';

/** Google's generateContent, of the Gemini API and of Vertex AI: https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  errorMark: 'error',
  gatewayMarks,
  encodeStreamError,
  decodeError,
  encodeWireError,
  decodeStreamError,
  texts,
  earlierTexts,
  frameTexts,
  members,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  answeredBy: ({ modelVersion }) => textOf(modelVersion),
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
