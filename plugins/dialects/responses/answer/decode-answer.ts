import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { defaultResponseMembers } from '../../../../schema/conversation/response-members.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { findCreated } from '../../shared/answer/find-created.ts';
import { notAnAnswer } from '../../shared/answer/not-an-answer.ts';
import { defined } from '../../shared/json/defined.ts';
import { omit } from '../../shared/json/omit.ts';
import { decodeItem } from './decode-item.ts';
import { decodeFinish } from './finish-reasons.ts';
import { findUsage } from './usage.ts';

const known: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'error',
  'incomplete_details',
  'model',
  'output',
  'usage',
  'service_tier',
  'store',
]);

/** Returns the members that not every response has. */
const decodeExtensions = (wire: JsonObject): Answer['extensions'] => {
  const more = Object.entries(omit(wire, known) ?? {}).filter(
    ([name, value]) => value !== null && !isDeepStrictEqual(value, defaultResponseMembers[name]),
  );
  return more.length > 0 ? { responses: Object.fromEntries(more) } : {};
};

/** Returns why a response is not an answer: it has no output, was cancelled, or has not ended. */
const findError = (wire: JsonObject): string | undefined => {
  const { status } = wire;
  if (findItems(wire.output) === undefined) return notAnAnswer(wire, 'output items');
  if (status === 'cancelled' || status === 'queued' || status === 'in_progress') return `its status is ${status}`;
  return undefined;
};

/** Throws the `GatewayError` `broken-answer` if the service reports that it failed: the response has the documented format. */
const throwIfFailed = ({ status, error }: JsonObject): void => {
  if (status !== 'failed') return;
  const message = findText(findObject(error)?.message) ?? '';
  throw gatewayError('broken-answer', { reason: toSentence(message === '' ? 'its status is "failed".' : message) });
};

/**
 * https://platform.openai.com/docs/api-reference/responses/object. Throws an `Error` that describes what is wrong, or the
 * `GatewayError` `broken-answer`.
 */
export const decodeAnswer = (wire: JsonObject, { scope }: DecodeAnswer): Answer => {
  throwIfFailed(wire);
  const error = findError(wire);
  if (error !== undefined) throw new Error(error);
  const id = findText(wire.id) ?? '';
  const parts = toObjects(wire.output).flatMap((item, number) => decodeItem(item, { scope, answer: id, number }));
  const hasCalls = parts.some(({ kind }) => kind === 'tool-call');
  return defined({
    id,
    model: findText(wire.model) ?? '',
    created: findCreated(wire.created_at),
    choices: [{ index: 0, parts, finish: decodeFinish(wire, hasCalls) }],
    usage: findUsage(wire),
    extensions: decodeExtensions(wire),
  });
};
