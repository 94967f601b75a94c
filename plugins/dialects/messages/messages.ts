import { objectOf } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { readHttpError } from '../wire/http-error.ts';
import { modelOf } from '../wire/model-of.ts';
import { cacheHints } from './cache-hints.ts';
import { classify, endFrames } from './classify.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { repeats } from './repeats.ts';
import { gatewayMarks } from './signature.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { judgedTexts } from './texts.ts';
import { usageOf } from './usage.ts';

/** Anthropic's messages: https://docs.anthropic.com/en/api/messages */
export const messages: Dialect = {
  ...declaration,
  classify,
  endFrames,
  errorMark: 'error',
  gatewayMarks,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  answeredBy: (wire) => modelOf(objectOf(wire.message) ?? wire),
  metered: {
    ...{ model: true, usage: true, stop_reason: true },
    message: { model: true, usage: true },
    delta: { stop_reason: true },
  },
  repeats,
  standsAlone: ({ event }) => event === 'ping',
  streamUsage: { mark: '_tokens"', spoken: ['text', 'thinking', 'partial_json'] },
  // `usage` is required in answers, in `message_start` and in `message_delta`: https://docs.anthropic.com/en/api/messages
  usageRequired: 'at-start',
  cacheHints,
  losesEndings: true,
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
