import { findObject } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { MemberSelection } from '../../sdk/dialect/member-selection.ts';
import { readHttpError } from '../../sdk/http/http-error.ts';
import { encodeWireError } from '../chat/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { type NameRule, plainNames, withAcceptedNames } from '../shared/request/function-names.ts';
import { withHashedUser } from '../shared/request/openai-settings.ts';
import { classify, endFrames } from './answer/classify.ts';
import { decodeAnswer } from './answer/decode-answer.ts';
import { encodeAnswer } from './answer/encode-answer.ts';
import { readFinishReasons } from './answer/finish-reasons.ts';
import { isStatusEvent } from './answer/is-status-event.ts';
import { gatewayMarks } from './answer/item-ids.ts';
import { repeats } from './answer/repeats.ts';
import { streamDecoder } from './answer/stream-decoder.ts';
import { streamEncoder } from './answer/stream-encoder.ts';
import { findMeteredUsage } from './answer/usage.ts';
import { judgedTexts } from './checked-texts/texts.ts';
import { declaration } from './declaration.ts';
import { losses } from './losses.ts';
import { decodeStreamError, encodeStreamError } from './parts/errors.ts';
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';
import { itemNaming } from './request/item-naming.ts';
import { place } from './request/place.ts';

/** Calls of the provider's own tools are counted in the output. */
const ofResponse: MemberSelection = {
  ...{ model: true, usage: true, service_tier: true, status: true, incomplete_details: { reason: true } },
  output: [{ type: true, action: { type: true } }],
};

/** The same rule as in chat completions: https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools */
const functionNames: NameRule = plainNames(64);

/** OpenAI's responses: https://platform.openai.com/docs/api-reference/responses */
export const responses: Dialect = {
  ...declaration,
  place,
  classify,
  endFrames,
  errorMark: ['error', 'response.failed'],
  gatewayMarks,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: findMeteredUsage,
  finishReasons: readFinishReasons,
  answeredBy: (wire) => findModel(findObject(wire.response) ?? wire),
  metered: { ...ofResponse, response: ofResponse },
  repeats,
  standsAlone: isStatusEvent,
  itemNaming,
  streamUsage: { mark: '_tokens"', spoken: ['delta'] },
  adopt: (conversation) => withAcceptedNames(withHashedUser(conversation), functionNames),
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
