import { numberOf } from '../../../schema/json/loose.ts';
import type { ChoicesAsked, Dialect } from '../../sdk/dialect/dialect.ts';
import { readHttpError } from '../wire/http-error.ts';
import { modelOf } from '../wire/model-of.ts';
import { classify, endFrames } from './classify.ts';
import { gatewayMarks } from './content-blocks.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { completion } from './edits/completion.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { metered } from './metered.ts';
import { repeats } from './repeats.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { streamUsage } from './stream-usage.ts';
import { judgedTexts } from './texts.ts';
import { usageOf } from './usage.ts';

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-n */
const choicesAsked: ChoicesAsked = { mark: '"n"', of: ({ n }) => numberOf(n) };

/** OpenAI's chat completions, and what compatible providers add to them: https://platform.openai.com/docs/api-reference/chat */
export const chat: Dialect = {
  ...declaration,
  classify,
  endFrames,
  choicesAsked,
  errorMark: 'error',
  gatewayMarks,
  contentMarks: { document: '"file"', 'stored-file': '"file"', audio: '"input_audio"', 'custom-tool': '"custom"' },
  completion,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  ...judgedTexts,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  answeredBy: modelOf,
  metered,
  streamUsage,
  joinsTexts: true,
  repeats,
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
