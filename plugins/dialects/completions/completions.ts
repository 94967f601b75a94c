import { isJsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Dialect, Frame, FrameClass } from '../../sdk/dialect/dialect.ts';
import { readFinishReasons } from '../chat/answer/finish-reasons.ts';
import { metered } from '../chat/answer/metered.ts';
import { streamUsage } from '../chat/answer/stream-usage.ts';
import { findUsage } from '../chat/answer/usage.ts';
import { brokenOffMarks, hidesError, isErrorChunk } from '../chat/parts/broken-off.ts';
import { errors } from '../chat/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { frameTexts } from '../shared/checked-texts/frame-texts.ts';
import { answers } from './answers.ts';
import { completion } from './completion.ts';
import { declaration } from './declaration.ts';
import { decodeRequest } from './decode-request.ts';
import { losses } from './losses.ts';
import { members } from './members.ts';
import { texts } from './texts.ts';

/**
 * Returns the class of a chunk. A finish reason ends only its own choice, and all providers of this format send [DONE] at the end
 * of the answer: without it, the answer was cut.
 */
const classify = ({ event, data }: Frame): FrameClass => {
  if (data.startsWith('[DONE]')) return 'end';
  if (event === 'error') return 'error';
  const chunk = parseJson(data);
  if (!isJsonObject(chunk)) return 'content';
  if (isErrorChunk(chunk)) return 'error';
  const choices = toObjects(chunk.choices);
  const hasBegun = choices.some(({ text, finish_reason: finish }) => text !== '' || typeof finish === 'string');
  if (hasBegun) return 'content';
  return choices.length === 0 && isJsonObject(chunk.usage) ? 'usage' : 'preamble';
};

/**
 * OpenAI's text completions: https://platform.openai.com/docs/api-reference/completions. For providers with conversations only,
 * the prompt becomes a message of the user, and the model's answer becomes the text.
 */
export const completions: Dialect = {
  ...declaration,
  classify,
  endFrames: [{ data: '[DONE]' }],
  errorMark: brokenOffMarks,
  hidesError,
  completion,
  ...errors,
  texts,
  frameTexts: frameTexts(members.frame ?? members.answer),
  members,
  usage: findUsage,
  finishReasons: readFinishReasons,
  answeredBy: findModel,
  metered,
  streamUsage: { ...streamUsage, spoken: ['text'] },
  answers,
  conversationClient: { losses, decodeRequest, ...answers },
  joinsTexts: true,
};
