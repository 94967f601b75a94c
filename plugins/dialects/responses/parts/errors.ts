import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { encodeError } from '../../chat/parts/encode-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import { namedErrorStatus } from '../../shared/parts/error-status.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';

/**
 * Returns the data of an `error` event. OpenAI's documentation has its members beside the type, and its service sends them in
 * `error`; clients read one or the other. `body` is the error in the format of an answer.
 */
export const errorEvent = (body: JsonObject, sequence: number): JsonObject => {
  const { message = '', code = null, param = null } = findObject(body.error) ?? {};
  return { type: 'error', sequence_number: sequence, code, message, param, error: body.error ?? null };
};

/** Returns the error of a response with the status `failed`, in which `code` is required. */
export const failedResponseError = (body: JsonObject): JsonObject => {
  const { message = '', code, type } = findObject(body.error) ?? {};
  return { code: findText(code) ?? findText(type) ?? 'server_error', message };
};

/** Returns the number of the event after a frame: 0 if there is none, or if it has no number. */
const nextSequence = (last: Frame | undefined): number =>
  (findNumber(last && parseObject(last.data)?.sequence_number) ?? -1) + 1;

export const encodeStreamError = (report: ErrorReport, last?: Frame): Frame =>
  jsonFrame(errorEvent(encodeError(report), nextSequence(last)), 'error');

/** Reads the error in an `error` or `response.failed` event. */
export const decodeStreamError = ({ data }: Frame): WireError => {
  const event = parseObject(data) ?? {};
  const inner = findObject(event.error) ?? findObject(findObject(event.response)?.error);
  const error = inner ?? event;
  const code = findText(error.code);
  const type = inner === undefined ? undefined : findText(inner.type);
  return defined({
    message: streamErrorMessage([findText(error.message), findText(event.error), data]),
    type,
    code,
    param: findText(error.param),
    status: namedErrorStatus({ code, type }),
  });
};
