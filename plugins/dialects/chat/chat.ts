import type { Dialect } from '../../sdk/dialect.ts';
import { readHttpError } from '../wire/http-error.ts';
import { modelOf } from '../wire/model-of.ts';
import { classify, endFrames } from './classify.ts';
import { gatewayMarks } from './content-blocks.ts';
import { declaration } from './declaration.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeAnswer } from './encode-answer.ts';
import { encodeRequest } from './encode-request.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from './errors.ts';
import { finishReasonsOf } from './finish-reasons.ts';
import { losses } from './losses.ts';
import { members } from './members.ts';
import { repeats } from './repeats.ts';
import { streamDecoder } from './stream-decoder.ts';
import { streamEncoder } from './stream-encoder.ts';
import { streamUsage } from './stream-usage.ts';
import { earlierTexts, frameTexts, texts } from './texts.ts';
import { usageOf } from './usage.ts';

/** OpenAI's chat completions, and what compatible providers add to them: https://platform.openai.com/docs/api-reference/chat */
export const chat: Dialect = {
  ...declaration,
  classify,
  endFrames,
  errorMark: 'error',
  gatewayMarks,
  contentMarks: { document: '"file"', 'stored-file': '"file"', audio: '"input_audio"' },
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts,
  earlierTexts,
  frameTexts,
  members,
  usage: usageOf,
  finishReasons: finishReasonsOf,
  answeredBy: modelOf,
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
