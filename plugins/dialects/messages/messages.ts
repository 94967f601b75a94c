import { findObject } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { readHttpError } from '../../sdk/http/http-error.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { type NameRule, plainNames, withAcceptedNames } from '../shared/request/function-names.ts';
import { classify, endFrames } from './answer/classify.ts';
import { decodeAnswer } from './answer/decode-answer.ts';
import { encodeAnswer } from './answer/encode-answer.ts';
import { readFinishReasons } from './answer/finish-reasons.ts';
import { repeats } from './answer/repeats.ts';
import { streamDecoder } from './answer/stream-decoder.ts';
import { streamEncoder } from './answer/stream-encoder.ts';
import { findUsage } from './answer/usage.ts';
import { judgedTexts } from './checked-texts/texts.ts';
import { declaration } from './declaration.ts';
import { losses } from './losses.ts';
import { decodeStreamError, encodeStreamError, encodeWireError, hidesError } from './parts/errors.ts';
import { gatewayMarks } from './parts/signature.ts';
import { cacheHints } from './request/cache-hints.ts';
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';
import { ownParams } from './request/own-params.ts';

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
const functionNames: NameRule = plainNames(128);

/** Anthropic's messages: https://docs.anthropic.com/en/api/messages */
export const messages: Dialect = {
  ...declaration,
  ownParams,
  classify,
  endFrames,
  errorMark: 'error',
  hidesError,
  gatewayMarks,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: findUsage,
  finishReasons: readFinishReasons,
  answeredBy: (wire) => findModel(findObject(wire.message) ?? wire),
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
