import { isJsonObject } from '../../../schema/json/json.ts';
import { findNumber } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Dialect, Frame, FrameClass } from '../../sdk/dialect/dialect.ts';
import type { ChoicesAsked } from '../../sdk/dialect/stream-usage.ts';
import { errors } from '../chat/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { memberTexts } from '../wire/checked-texts/member-texts.ts';
import { codec } from './codec.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { findUsage } from './usage.ts';

const completed = ['image_generation.completed', 'image_edit.completed'] as const;

const classOf = (type: unknown): FrameClass | undefined => {
  if (type === 'error') return 'error';
  return completed.some((each) => each === type) ? 'end' : undefined;
};

/**
 * By the name of the event, since pictures are long, or by its data where that says more. Each picture has an end of its own:
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

/** Each picture of a stream is ended by an event, which does not say which of them it is. */
const choicesAsked: ChoicesAsked = { mark: '"n"', of: ({ n }) => findNumber(n) };

/**
 * OpenAI's images: https://platform.openai.com/docs/api-reference/images. Providers of another format for pictures are asked
 * in theirs.
 */
export const images: Dialect = {
  ...declaration,
  classify,
  endFrames: completed.map((type) => ({ type })),
  choicesAsked,
  errorMark: 'error',
  ...errors,
  texts: memberTexts(members, ['prompt']),
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, type: true, usage: true, data: [{ index: true }] },
  streamUsage: { mark: '.completed"', spoken: [] },
  clientCodecs: { image: codec },
};
