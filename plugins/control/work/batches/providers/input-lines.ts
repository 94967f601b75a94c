import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { maxLineBytes, maxLines } from '../lines/limits.ts';
import { readLines } from '../lines/read-lines.ts';
import { type BatchLine, validateLine } from '../lines/validate-line.ts';
import type { BatchAdapter } from './batch-adapter.ts';
import type { LineCodec } from './line-codec.ts';

const chats = '/v1/chat/completions';

/** The fault of an input file, at a line where it is known. */
const fileFault = (member: string, fact: string, line?: number): GatewayError => {
  const where = line === undefined ? '' : `Line ${line} of the input file is not valid: `;
  const problem: InputProblem = {
    pointer: toPointer([member]),
    message: where + fact,
    hint: 'Correct the file, and upload it again.',
    ...(line === undefined ? {} : { line }),
  };
  return invalidInput([problem]);
};

/** The requests of an input file that was validated before. */
export async function* inputLines(bytes: AsyncIterable<Uint8Array>, endpoint: string): AsyncGenerator<BatchLine> {
  for await (const line of readLines(bytes, { most: maxLineBytes })) {
    const validated = validateLine(line.bytes, endpoint);
    if (!('fault' in validated)) yield validated;
  }
}

interface Judging {
  /** What names the file in a request. */
  readonly member: 'file' | 'input_file_id';
  /** That of all requests, in place of what they say; as they say if absent. */
  readonly model?: string;
  readonly endpoint: string;
  readonly adapter: BatchAdapter;
  readonly codec: LineCodec;
}

const bodyFault = (body: JsonObject, { endpoint, codec }: Pick<Judging, 'endpoint' | 'codec'>): string | undefined => {
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
 * The requests of an input file, each validated before it is given. Throws the `GatewayError` `invalid-input` at the first line
 * that the provider could not be sent.
 */
export async function* validatedLines(
  bytes: AsyncIterable<Uint8Array>,
  validating: Judging,
): AsyncGenerator<BatchLine> {
  const { endpoint, adapter, member, model } = validating;
  const ids = new Set<string>();
  const models = new Set<string>();
  for await (const { number, bytes: text } of readLines(bytes, { most: maxLineBytes })) {
    const validated = validateLine(text, endpoint);
    if ('fault' in validated) throw fileFault(member, validated.fault.message, number);
    const line = model === undefined ? validated : { ...validated, body: { ...validated.body, model } };
    if (ids.has(line.customId)) throw fileFault(member, 'Another line before has the same custom_id.', number);
    ids.add(line.customId);
    if (ids.size > maxLines) throw fileFault(member, `The file has more than ${maxLines} lines.`);
    models.add(findText(line.body.model) ?? '');
    if (adapter.hasOneModel === true && models.size > 1)
      throw fileFault(member, 'All lines must have the same model at this provider.', number);
    const fault = bodyFault(line.body, validating) ?? adapter.lineFault?.(line, validating.codec, endpoint);
    if (fault !== undefined) throw fileFault(member, fault, number);
    yield line;
  }
  if (ids.size === 0) throw fileFault(member, 'The file has no lines.');
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
