import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { readHttpError } from '../wire/http-error.ts';
import { classify, endFrames } from './classify.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { place } from './place.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { judgedTexts } from './texts.ts';
import { usageOf } from './usage.ts';

/** Cohere's chat, version 2: https://docs.cohere.com/reference/chat */
export const cohere: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  errorMark: 'message-end',
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  metered: { usage: true, finish_reason: true, delta: { usage: true, finish_reason: true } },
  streamUsage: { mark: '_tokens"', spoken: ['text', 'thinking', 'tool_plan', 'arguments'] },
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
