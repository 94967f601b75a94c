import type { Dialect } from '../../sdk/dialect/dialect.ts';
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
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';
import { place } from './request/place.ts';

/** Cohere's chat, version 2: https://docs.cohere.com/reference/chat */
export const cohere: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  errorMark: 'message-end',
  ...errors,
  ...judgedTexts,
  usage: findUsage,
  finishReasons: readFinishReasons,
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
