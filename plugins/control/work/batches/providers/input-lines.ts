import { GatewayError } from '../../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { type BatchLine, maxLines, requestLines } from '../lines/validate-line.ts';
import type { BatchAdapter } from './batch-adapter.ts';
import type { LineCodec } from './line-codec.ts';

const chats = '/v1/chat/completions';

/** The error of an input file, at a line where it is known. */
const fileError = (member: string, fact: string, line?: number): GatewayError => {
  const place = { pointer: toPointer([member]), hint: 'Correct the file, and upload it again.' };
  return invalidInput([
    line === undefined
      ? { ...place, message: fact }
      : { ...place, message: `Line ${line} of the input file is not valid: ${fact}`, line },
  ]);
};

/** Reads the requests of an input file that was validated before. */
export async function* inputLines(bytes: AsyncIterable<Uint8Array>, endpoint: string): AsyncGenerator<BatchLine> {
  for await (const { request } of requestLines(bytes, endpoint)) if (!('error' in request)) yield request;
}

interface Judging {
  /** The member that names the file in a request. */
  readonly member: 'file' | 'input_file_id';
  /** The model of all requests, in place of their own; as they say if absent. */
  readonly model?: string;
  readonly endpoint: string;
  readonly adapter: BatchAdapter;
  readonly codec: LineCodec;
}

const bodyError = (body: JsonObject, { endpoint, codec }: Pick<Judging, 'endpoint' | 'codec'>): string | undefined => {
  if (body.stream === true) return 'A request of a batch has no stream.';
  if (endpoint !== chats) return undefined;
  try {
    codec.request(body);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
};

/**
 * Reads the requests of an input file, each of which is validated before it is given. Throws the `GatewayError` `invalid-input`
 * at the first line that the provider could not be sent.
 */
export async function* validatedLines(
  bytes: AsyncIterable<Uint8Array>,
  { endpoint, adapter, codec, member, model }: Judging,
): AsyncGenerator<BatchLine> {
  const ids = new Set<string>();
  const models = new Set<string>();
  for await (const { line, request } of requestLines(bytes, endpoint)) {
    const { number } = line;
    if ('error' in request) throw fileError(member, request.error.message, number);
    const body = model === undefined ? request.body : { ...request.body, model };
    const named = { ...request, body };
    if (ids.has(named.customId)) throw fileError(member, 'Another line before has the same custom_id.', number);
    ids.add(named.customId);
    if (ids.size > maxLines) throw fileError(member, `The file has more than ${maxLines} lines.`);
    models.add(findText(body.model) ?? '');
    if (adapter.hasOneModel === true && models.size > 1)
      throw fileError(member, 'All lines must have the same model at this provider.', number);
    const error = bodyError(body, { endpoint, codec }) ?? adapter.lineError?.(named, codec, endpoint);
    if (error !== undefined) throw fileError(member, error, number);
    yield named;
  }
  if (ids.size === 0) throw fileError(member, 'The file has no lines.');
}

/** Validates an input file before anything is sent to a provider; the model of all lines, or undefined. Rejects like `validatedLines`. */
export const validateInput = async (
  bytes: AsyncIterable<Uint8Array>,
  validating: Omit<Judging, 'member' | 'model'>,
): Promise<string | undefined> => {
  const models = new Set<string>();
  for await (const { body } of validatedLines(bytes, { ...validating, member: 'input_file_id' }))
    models.add(findText(body.model) ?? '');
  const [model] = models;
  return models.size === 1 ? model : undefined;
};
