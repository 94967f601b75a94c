import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import { fromExactJson } from '../../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { jsonProblem } from '../../../../../schema/json/json-problem.ts';
import { jsonTextError } from '../../../../../schema/json/json-text-error.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { parseExactObject, parseObject } from '../../../../../schema/json/parse-json.ts';
import { BlobError } from '../../../kernel/blobs/blob-storage.ts';
import type { Account, ProviderRequest } from '../../provider-requests/account.ts';
import { requestBytes, unreadableAnswer } from '../../provider-requests/request-json.ts';

/** The maximum size of a line in a provider's file. */
export const maxLineBytes: number = 32 * 1024 * 1024;

/** Yields the JSON objects in a provider's file, one from each line. Throws the `GatewayError` `unreadable-answer`. */
export async function* objectLines(
  pieces: AsyncIterable<Uint8Array>,
  provider: string,
  read: typeof parseObject = parseObject,
): AsyncGenerator<JsonObject> {
  for await (const { bytes, number } of readLines(pieces, maxLineBytes)) {
    const line = bytes === undefined ? undefined : read(bytes.toString());
    if (line === undefined) throw unreadableAnswer({ provider }, `line ${number} of its file is not a JSON object.`);
    yield line;
  }
}

/** Yields the JSON objects in a provider's response, one from each line. Throws like `requestJson`. */
export const jsonLines = (account: Account, request: ProviderRequest): AsyncGenerator<JsonObject> =>
  objectLines(requestBytes(account, request), account.provider);

/**
 * Like `jsonLines`, for answers to chats in which the arguments of calls are objects: `withExactNumbers` knows their
 * numbers as they were written.
 */
export const exactLines = (account: Account, request: ProviderRequest): AsyncGenerator<JsonObject> =>
  objectLines(requestBytes(account, request), account.provider, parseExactObject);

/**
 * Yields the results of a batch. Throws the `GatewayError` `unreadable-answer` if there are none although the provider has
 * counted some for a completed batch, because an empty file would lose them all.
 */
export async function* requireResults<Result>(
  results: AsyncIterable<Result>,
  {
    status,
    counts: { completed, failed },
  }: { readonly status: string; readonly counts: { readonly completed: number; readonly failed: number } },
  account: Pick<Account, 'provider'>,
): AsyncGenerator<Result> {
  let hasSome = status !== 'completed' || completed + failed === 0;
  for await (const result of results) {
    hasSome = true;
    yield result;
  }
  if (!hasSome) throw unreadableAnswer(account, 'its batch has no results.');
}

/** A line of a file, numbered from 1, and its position. `to` is the offset after its last byte, which excludes the line feed. */
export interface ReadLine {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  /** Undefined if the line is too long. */
  readonly bytes: Buffer | undefined;
}

const lineFeed = 10;

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 32);

/** Reads the lines of a file that are not blank. Memory holds one line, of at most `maxBytes` bytes. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  first = 1,
): AsyncGenerator<ReadLine, void> {
  let [number, from, length] = [first, 0, 0];
  let kept: Uint8Array[] = [];

  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > maxBytes) kept = [];
    // A blank line is not copied, because a file may contain nothing else.
    else if (kept.length > 0 || !isBlank(piece)) kept.push(Buffer.from(piece));
  };

  /** Ends a line; undefined if it is blank. */
  const end = (): ReadLine | undefined => {
    const isTooLong = length > maxBytes;
    const line =
      kept.length === 0 && !isTooLong
        ? undefined
        : { number, from, to: from + length, bytes: isTooLong ? undefined : Buffer.concat(kept) };
    [number, from, length, kept] = [number + 1, from + length + 1, 0, []];
    return line;
  };

  for await (const piece of pieces) {
    let at = 0;
    for (let next = piece.indexOf(lineFeed); next !== -1; next = piece.indexOf(lineFeed, at)) {
      take(piece.subarray(at, next));
      at = next + 1;
      const line = end();
      if (line !== undefined) yield line;
    }
    take(piece.subarray(at));
  }
  const last = end();
  if (last !== undefined) yield last;
}

/** The maximum size of a line in an input file, in bytes. */
const maxRequestBytes = 1_048_576;

export const maxLines = 50_000;

/** The error of a line, as the batch reports it. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly line: number | null;
}

/** The request in a line. */
export interface BatchLine {
  readonly customId: string;
  readonly body: JsonObject;
}

type ValidatedLine = BatchLine | { readonly error: Omit<LineError, 'line'> };

const longestId = 512;

const reason = (code: string, message: string, param: string | null = null): ValidatedLine => ({
  error: { code, message, param },
});

const parsed = (bytes: Buffer): JsonObject | string => {
  if (!isUtf8(bytes)) return 'it is not UTF-8.';
  const text = bytes.toString().replace(/^\ufeff/, '');
  const tooMuch = jsonTextError(text);
  if (tooMuch !== undefined) return tooMuch;
  try {
    const value = fromExactJson(text);
    return isJsonObject(value) ? value : 'it is not an object.';
  } catch (error) {
    return jsonProblem(text, error);
  }
};

const validateLine = (bytes: Buffer | undefined, endpoint: string): ValidatedLine => {
  if (bytes === undefined) return reason('line_too_large', `The line is longer than ${maxRequestBytes} bytes.`);
  const line = parsed(bytes);
  if (typeof line === 'string') return reason('invalid_json_line', `The line is not a JSON object: ${line}`);
  const { custom_id: customId, method, url, body } = line;
  if (typeof customId !== 'string' || customId === '' || customId.length > longestId)
    return reason('invalid_custom_id', `custom_id must be a text of 1 to ${longestId} characters.`, 'custom_id');
  if (method !== 'POST') return reason('invalid_method', 'method must be "POST".', 'method');
  if (url !== endpoint)
    return reason('mismatched_endpoint', `url must be the endpoint of the batch, "${endpoint}".`, 'url');
  if (!isJsonObject(body)) return reason('invalid_body', 'body must be a JSON object.', 'body');
  return { customId, body };
};

/** Reads the requests in the lines of an input file, or what is wrong with them. `number` is the number of the first line. */
export async function* requestLines(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
  number = 1,
): AsyncGenerator<{ readonly line: ReadLine; readonly request: ValidatedLine }, void> {
  for await (const line of readLines(bytes, maxRequestBytes, number))
    yield { line, request: validateLine(line.bytes, endpoint) };
}

/** The result of a line, and which of the two files it belongs to. */
export interface LineResult {
  readonly isSuccess: boolean;
  readonly text: string;
}

export interface LineName {
  /** The id of the request, under which the gateway's log and ledger have it. */
  readonly id: string;
  readonly customId: string;
}

/** Names a line that a provider has run, by the `custom_id` that the provider repeats. */
export const toLineName = (value: Json | undefined): LineName => {
  const customId = findText(value) ?? '';
  return { id: `batch_req_${customId}`, customId };
};

/** Creates a result from a response of the data path, which is the gateway's own if it reached no provider. */
export const resultOfResponse = (
  { id, customId }: LineName,
  { status, body }: { readonly status: number; readonly body: Json },
): LineResult => {
  const response: JsonObject = { status_code: status, request_id: id, body };
  return {
    isSuccess: isSuccess(status),
    text: `${JSON.stringify({ id, custom_id: customId, response, error: null })}\n`,
  };
};

/** Creates a result for a line without a response. */
export const resultWithoutResponse = (
  { id, customId }: LineName,
  { code, message }: { readonly code: string; readonly message: string },
): LineResult => ({
  isSuccess: false,
  text: `${JSON.stringify({ id, custom_id: customId, response: null, error: { code, message } })}\n`,
});

/** The reasons why lines did not run. */
export const notRun = {
  cancelled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was sent.' },
  expired: { code: 'batch_expired', message: 'The batch expired before this request was sent.' },
  failed: { code: 'batch_failed', message: 'The batch failed before this request was sent.' },
} as const;

/** Checks whether bytes are gone or damaged for good. Any other error may pass when the operation is retried. */
export const isLost = (error: unknown): boolean =>
  error instanceof BlobError
    ? error.error === 'damaged'
    : error instanceof GatewayError && error.report.code === 'not-found';

export const unreadable: LineError = {
  code: 'unreadable_file',
  message: 'The input file no longer exists, or its bytes are damaged.',
  param: 'input_file_id',
  line: null,
};
