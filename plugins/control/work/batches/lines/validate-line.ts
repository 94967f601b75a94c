import { isUtf8 } from 'node:buffer';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { jsonProblem } from '../../../../../schema/json/json-problem.ts';
import { jsonTextError } from '../../../../../schema/json/json-text-error.ts';
import { type ReadLine, readLines } from './read-lines.ts';

/** The most bytes that a line of an input file may have. */
const maxLineBytes = 1_048_576;

export const maxLines = 50_000;

/** The error of a line, as the batch reports it. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly line: number | null;
}

/** A request that a line has. */
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
    const value = fromJson(text);
    return isJsonObject(value) ? value : 'it is not an object.';
  } catch (error) {
    return jsonProblem(text, error);
  }
};

const validateLine = (bytes: Buffer | undefined, endpoint: string): ValidatedLine => {
  if (bytes === undefined) return reason('line_too_large', `The line is longer than ${maxLineBytes} bytes.`);
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

/** Reads the requests that the lines of an input file have, or what is wrong with them; its first line has the number `number`. */
export async function* requestLines(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
  number = 1,
): AsyncGenerator<{ readonly line: ReadLine; readonly request: ValidatedLine }, void> {
  for await (const line of readLines(bytes, maxLineBytes, number))
    yield { line, request: validateLine(line.bytes, endpoint) };
}
