import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { findNumber } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Dialect, Frame, FrameClass } from '../../sdk/dialect/dialect.ts';
import type { ChoicesAsked } from '../../sdk/dialect/stream-usage.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { findUsage } from './usage.ts';

const completed = ['image_generation.completed', 'image_edit.completed'] as const;

const classOf = (type: unknown): FrameClass | undefined => {
  if (type === 'error') return 'error';
  return completed.some((each) => each === type) ? 'end' : undefined;
};

/**
 * Classifies an event by its name, because images are long, or by its data if that says more. Each image has its own end:
 * https://platform.openai.com/docs/api-reference/images-streaming
 */
const classify = ({ event, data }: Frame): FrameClass => {
  if (data.startsWith('[DONE]')) return 'end';
  if (event !== undefined && event !== 'message') return classOf(event) ?? 'content';
  const value = parseJson(data);
  if (!isJsonObject(value)) return 'content';
  if (value.error !== undefined && value.error !== null) return 'error';
  return classOf(value.type) ?? 'content';
};

/** Returns the number of images, which is a text in a form. */
const toCount = (n: Json | undefined): number | undefined =>
  typeof n === 'string' && /^\d{1,9}$/.test(n) ? Number(n) : findNumber(n);

/** Each image of a stream ends with an event, which does not identify the image. */
const choicesAsked: ChoicesAsked = { mark: '"n"', of: ({ n }) => toCount(n) };

/** Reads answers of OpenAI's images, for generations as well as edits: whole answers, and streams. */
export const pictureAnswers: Pick<
  Dialect,
  | 'answerMembers'
  | 'answeredBy'
  | 'choicesAsked'
  | 'classify'
  | 'endFrames'
  | 'errorMark'
  | 'metered'
  | 'streamUsage'
  | 'usage'
> = {
  classify,
  endFrames: completed.map((type) => ({ type })),
  choicesAsked,
  errorMark: 'error',
  answerMembers: ['data'],
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, type: true, usage: true, data: [{ index: true }] },
  streamUsage: { mark: '.completed"', spoken: [] },
};
