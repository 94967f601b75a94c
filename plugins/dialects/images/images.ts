import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findNumber } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Dialect, Frame, FrameClass } from '../../sdk/dialect/dialect.ts';
import type { ChoicesAsked } from '../../sdk/dialect/stream-usage.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { codec } from './codec.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { findUsage } from './usage.ts';

/** A request without a prompt is not of this format: then it is judged by what else it says, if it says anything. */
const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  const spans = bodyTexts(phase === 'input' ? members.request : members.answer, body, how);
  return phase === 'input' && spans?.length === 0 && body.prompt === undefined ? undefined : spans;
};

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
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts,
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, type: true, usage: true, data: [{ index: true }] },
  streamUsage: { mark: '.completed"', spoken: [] },
  clientCodecs: { image: codec },
};
