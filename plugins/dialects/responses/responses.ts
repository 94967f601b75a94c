import { objectOf } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { MemberSelection } from '../../sdk/dialect/member-selection.ts';
import { encodeWireError } from '../chat/errors.ts';
import { readHttpError } from '../wire/http-error.ts';
import { modelOf } from '../wire/model-of.ts';
import { classify, endFrames } from './classify.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeStreamError, encodeStreamError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { gatewayMarks } from './item-ids.ts';
import { itemNaming } from './item-naming.ts';
import { losses } from './losses.ts';
import { place } from './place.ts';
import { repeats } from './repeats.ts';
import { standsAlone } from './stands-alone.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { judgedTexts } from './texts.ts';
import { meteredUsageOf } from './usage.ts';

/** Calls of the provider's own tools are counted in the output. */
const ofResponse: MemberSelection = {
  ...{ model: true, usage: true, service_tier: true, status: true, incomplete_details: { reason: true } },
  output: [{ type: true, action: { type: true } }],
};

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
  usage: meteredUsageOf,
  finishReasons: finishReasonsOf,
  answeredBy: (wire) => modelOf(objectOf(wire.response) ?? wire),
  metered: { ...ofResponse, response: ofResponse },
  repeats,
  standsAlone,
  itemNaming,
  streamUsage: { mark: '_tokens"', spoken: ['delta'] },
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
