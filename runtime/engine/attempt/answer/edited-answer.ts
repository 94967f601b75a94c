import type { AnswerEdit } from '../../../../plugins/sdk/dialect/answer-edit.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { jsonObjectOf } from '../../../body/read/json-object-of.ts';

/** The bytes of a whole answer as they are after the edits; the same bytes if nothing in them changes. */
export const editedAnswer = (bytes: Uint8Array, edits: readonly AnswerEdit[] | undefined): Uint8Array => {
  const received = toBuffer(bytes);
  if (!edits?.some(({ marks }) => marks.some((mark) => received.includes(mark)))) return bytes;
  const body = jsonObjectOf(bytes);
  if (body === undefined) return bytes;
  return Buffer.from(JSON.stringify(edits.reduce((edited, edit) => edit.whole(edited), body)));
};
