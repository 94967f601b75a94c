import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { AnswerEdit } from '../../../../sdk/dialect/answer-edit.ts';
import type { BatchLine } from '../lines/validate-line.ts';
import type { LineCodec, LineEdits } from './line-codec.ts';

const findEdits = (codec: LineCodec, { body }: BatchLine): readonly AnswerEdit[] | undefined => {
  try {
    return codec.edits(body);
  } catch (error) {
    // Another process may have sent it, of another version.
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/** What changes in the answers to the lines of a batch: providers name a line by its `custom_id`, in any order. */
export const lineEdits = async (lines: AsyncIterable<BatchLine>, codec: LineCodec): Promise<LineEdits> => {
  const found = new Map<string, readonly AnswerEdit[]>();
  for await (const line of lines) {
    const edits = findEdits(codec, line);
    if (edits !== undefined) found.set(line.customId, edits);
  }
  return found;
};
