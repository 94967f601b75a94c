import type { WireError } from '../../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { readHttpError, withProvidersWords } from '../../../sdk/http/http-error.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { defined } from '../../shared/json/defined.ts';
import type { DialectErrors } from '../../shared/parts/dialect-errors.ts';
import { type ErrorNames, errorStatus, namedErrorStatus } from '../../shared/parts/error-status.ts';
import { streamErrorMessage } from '../../shared/parts/stream-error-message.ts';
import { brokenOff } from './broken-off.ts';
import { encodeError } from './encode-error.ts';

/** Writes the event that official clients raise as an error: a chunk with a member `error`. */
export const encodeStreamError = (report: ErrorReport): Frame => jsonFrame(encodeError(report));

const typeOfStatus = (status: number): string => {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 408:
      return 'timeout_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
};

export const encodeWireError = (error: WireError, status: number): JsonObject => ({
  error: {
    message: error.message,
    type: error.type ?? typeOfStatus(status),
    param: error.param ?? null,
    code: error.code ?? null,
  },
});

/** Writes a provider's error into a stream that has begun. An error without a status gets that of a bad gateway. */
export const encodeStreamWireError = (error: WireError): Frame =>
  jsonFrame(encodeWireError(error, error.status ?? 502));

/** Returns the status of a limit, which is one of its key. Other errors are those of a bad gateway, which circuits count. */
const limitStatus = (error: ErrorNames): number | undefined => {
  const status = namedErrorStatus(error);
  return status === 429 ? status : undefined;
};

/** Decodes an error in a stream. Some compatible providers put the status that it would have had into `code` or `status`. */
export const decodeStreamError = ({ data }: Frame): WireError => {
  const outer = parseObject(data) ?? {};
  const own = findObject(outer.error);
  const broken = own === undefined ? brokenOff(outer) : undefined;
  if (broken !== undefined) return broken;
  const error = own ?? toObjects(outer.errors)[0] ?? {};
  const code = findNumber(error.code);
  const named = { code: code === undefined ? findText(error.code) : String(code), type: findText(error.type) };
  const message = streamErrorMessage([findText(error.message), findText(outer.error), findText(outer.message), data]);
  return defined({
    message: withProvidersWords(message, error),
    ...named,
    param: findText(error.param),
    status: [Number(named.code), findNumber(error.status), findNumber(error.status_code), limitStatus(named)]
      .map(errorStatus)
      .find((each) => each !== undefined),
  });
};

/** Error handling for dialects that use OpenAI's errors. */
export const errors: DialectErrors = {
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
};
