import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { gatewayMarks } from './bound-values.ts';
import { cacheHints } from './cache-hints.ts';
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
import { judgedTexts } from './texts.ts';
import { usageOf } from './usage.ts';

/** Amazon Bedrock's Converse and ConverseStream: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converse: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  gatewayMarks,
  encodeStreamError,
  decodeError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  metered: { usage: true, serviceTier: true, stopReason: true },
  streamUsage: { mark: 'Tokens"', spoken: ['text', 'input'] },
  // A required member: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseElements
  usageRequired: 'at-end',
  cacheHints,
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
