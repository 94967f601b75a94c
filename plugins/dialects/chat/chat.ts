import { findNumber } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { ChoicesAsked } from '../../sdk/dialect/stream-usage.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { type NameRule, plainNames, withAcceptedNames } from '../shared/request/function-names.ts';
import { withHashedUser, withJsonInstruction } from '../shared/request/openai-settings.ts';
import { classify, endFrames } from './answer/classify.ts';
import { completion } from './answer/completion.ts';
import { decodeAnswer } from './answer/decode-answer.ts';
import { encodeAnswer } from './answer/encode-answer.ts';
import { readFinishReasons } from './answer/finish-reasons.ts';
import { metered } from './answer/metered.ts';
import { repeats } from './answer/repeats.ts';
import { streamDecoder } from './answer/stream-decoder.ts';
import { streamEncoder } from './answer/stream-encoder.ts';
import { streamUsage } from './answer/stream-usage.ts';
import { findUsage } from './answer/usage.ts';
import { judgedTexts } from './checked-texts/texts.ts';
import { declaration } from './declaration.ts';
import { losses } from './losses.ts';
import { brokenOffMarks, hidesError } from './parts/broken-off.ts';
import { gatewayMarks } from './parts/content-blocks.ts';
import { errors } from './parts/errors.ts';
import { decodeRequest } from './request/decode-request.ts';
import { encodeRequest } from './request/encode-request.ts';

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-n */
const choicesAsked: ChoicesAsked = { mark: '"n"', of: ({ n }) => findNumber(n) };

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools */
const functionNames: NameRule = plainNames(64);

/** OpenAI's chat completions, and what compatible providers add to them: https://platform.openai.com/docs/api-reference/chat */
export const chat: Dialect = {
  ...declaration,
  classify,
  endFrames,
  choicesAsked,
  errorMark: brokenOffMarks,
  hidesError,
  gatewayMarks,
  contentMarks: {
    image: '"image_url"',
    document: '"file"',
    'stored-file': '"file"',
    audio: '"input_audio"',
    video: '"video_url"',
    'custom-tool': '"custom"',
  },
  completion,
  ...errors,
  ...judgedTexts,
  usage: findUsage,
  finishReasons: readFinishReasons,
  answeredBy: findModel,
  metered,
  streamUsage,
  joinsTexts: true,
  repeats,
  adopt: (conversation) => withAcceptedNames(withJsonInstruction(withHashedUser(conversation)), functionNames),
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
