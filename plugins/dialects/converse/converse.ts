import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { type NameRule, plainNames, withAcceptedNames } from '../shared/request/function-names.ts';
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
import { gatewayMarks } from './parts/bound-values.ts';
import { errors } from './parts/errors.ts';
import { cacheHints } from './request/cache-hints.ts';
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';
import { place } from './request/place.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html */
const functionNames: NameRule = plainNames(64);

/** Amazon Bedrock's Converse and ConverseStream: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converse: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  gatewayMarks,
  ...errors,
  ...judgedTexts,
  usage: findUsage,
  finishReasons: readFinishReasons,
  metered: { usage: true, serviceTier: true, stopReason: true },
  streamUsage: { mark: 'Tokens"', spoken: ['text', 'input'] },
  // Usage is a required member:
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseElements
  usageRequired: 'at-end',
  cacheHints,
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
