import { GatewayError } from '../../../../schema/errors.ts';
import type { InputProblem } from '../../../../schema/input-problem.ts';
import { invalidInput } from '../../../../schema/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import { textOf } from '../../../../schema/loose.ts';
import { toPointer } from '../../../../schema/pointer.ts';
import { type BatchLine, judgeLine } from '../managed/check/judge-line.ts';
import { mostLineBytes, mostLines } from '../managed/check/limits.ts';
import { readLines } from '../managed/check/read-lines.ts';
import type { BatchAdapter } from './batch-adapter.ts';
import type { LineCodec } from './line-codec.ts';

const chats = '/v1/chat/completions';

/** The fault of an input file, at a line where it is known. */
const fileFault = (fact: string, line?: number): GatewayError => {
  const where = line === undefined ? '' : `Line ${line} of the input file is not valid: `;
  const problem: InputProblem = {
    pointer: toPointer(['input_file_id']),
    message: where + fact,
    hint: 'Correct the file, and upload it again.',
    ...(line === undefined ? {} : { line }),
  };
  return invalidInput([problem]);
};

/** The requests of an input file that was judged before. */
export async function* inputLines(bytes: AsyncIterable<Uint8Array>, endpoint: string): AsyncGenerator<BatchLine> {
  for await (const line of readLines(bytes, { most: mostLineBytes })) {
    const judged = judgeLine(line.bytes, endpoint);
    if (!('fault' in judged)) yield judged;
  }
}

export interface JudgedInput {
  readonly count: number;
  /** That of all lines; undefined if they have different ones. */
  readonly model: string | undefined;
}

interface Judging {
  readonly endpoint: string;
  readonly adapter: BatchAdapter;
  readonly codec: LineCodec;
}

const bodyFault = (body: JsonObject, { endpoint, codec }: Judging): string | undefined => {
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
 * Judges an input file line by line, before anything is sent to a provider. Throws the `GatewayError` `invalid-input` for
 * the first line that the provider could not be sent.
 */
export const judgeInput = async (bytes: AsyncIterable<Uint8Array>, judging: Judging): Promise<JudgedInput> => {
  const { endpoint, adapter } = judging;
  const ids = new Set<string>();
  const models = new Set<string>();
  for await (const { number, bytes: text } of readLines(bytes, { most: mostLineBytes })) {
    const line = judgeLine(text, endpoint);
    if ('fault' in line) throw fileFault(line.fault.message, number);
    if (ids.has(line.customId)) throw fileFault('Another line before has the same custom_id.', number);
    ids.add(line.customId);
    if (ids.size > mostLines) throw fileFault(`The file has more than ${mostLines} lines.`);
    models.add(textOf(line.body.model) ?? '');
    if (adapter.hasOneModel === true && models.size > 1)
      throw fileFault('All lines must have the same model at this provider.', number);
    const fault = bodyFault(line.body, judging) ?? adapter.lineFault?.(line, judging.codec, endpoint);
    if (fault !== undefined) throw fileFault(fault, number);
  }
  if (ids.size === 0) throw fileFault('The file has no lines.');
  const [model] = models;
  return { count: ids.size, model: models.size === 1 ? model : undefined };
};
