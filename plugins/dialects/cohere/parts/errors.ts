import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { readHttpError } from '../../../sdk/http/http-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import type { DialectErrors } from '../../shared/parts/dialect-errors.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';

/** Writes the last event of a stream, which reports a failure: https://docs.cohere.com/reference/chat-stream */
const failedEnd = (message: string, code: string | undefined): Frame => {
  const delta = { error: message, finish_reason: 'ERROR' };
  return jsonFrame(defined({ type: 'message-end', delta, code }), 'message-end');
};

export const encodeStreamError = ({ message, code }: ErrorReport): Frame => failedEnd(message, code);

/** Writes the error of another provider into a stream. */
export const encodeStreamWireError = ({ message, code }: WireError): Frame => failedEnd(message, code);

const encodeWireError = ({ message, code }: WireError): JsonObject => defined({ message, code });

export const decodeStreamError = ({ data }: Frame): WireError => {
  const event = parseObject(data);
  const delta = findObject(event?.delta);
  const reason = findText(delta?.finish_reason);
  return defined({
    message: streamErrorMessage([
      findText(delta?.error),
      reason === undefined ? data : `The answer ended with ${reason}.`,
    ]),
    code: findText(event?.code) ?? reason,
  });
};

/** Error handling for dialects that use Cohere's errors. */
export const errors: DialectErrors = {
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
};
