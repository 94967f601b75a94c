import type { AnswerEdit } from '../../plugins/sdk/dialect/answer-edit.ts';
import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { FrameWriter, Split } from '../../plugins/sdk/framings/framing.ts';
import { exactTextFrom } from '../../schema/json/exact-numbers.ts';
import { parseExactObject } from '../../schema/json/parse-json.ts';
import { noBytes } from './stream-relay.ts';

/** Changes the frames of one stream, or omits some. */
export interface FrameEditor {
  /** Every frame that may change, except the first, contains one of these texts. */
  readonly marks: readonly string[];
  /** Returns the changed frame. Undefined if it is omitted. */
  frame(frame: Frame): Frame | undefined;
}

/** Applies the edits of answers to the frames of one stream, one after another. */
export class FrameEdits implements FrameEditor {
  readonly marks: readonly string[];
  readonly #edits: readonly ReturnType<AnswerEdit['stream']>[];
  #hasBegun = false;

  constructor(edits: readonly AnswerEdit[]) {
    this.marks = edits.flatMap(({ marks }) => marks);
    this.#edits = edits.map((edit) => edit.stream());
  }

  frame(frame: Frame): Frame {
    if (this.#hasBegun && !this.marks.some((mark) => frame.data.includes(mark))) return frame;
    const data = parseExactObject(frame.data);
    if (data === undefined) return frame;
    this.#hasBegun = true;
    const edited = this.#edits.reduce((before, edit) => edit(before), data);
    return { ...frame, data: exactTextFrom(data, edited) };
  }
}

/** Returns two editors as one, applied one after the other. Undefined if there is neither. */
export const bothEditors = (
  first: FrameEditor | undefined,
  second: FrameEditor | undefined,
): FrameEditor | undefined => {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    marks: [...first.marks, ...second.marks],
    frame: (frame) => {
      const edited = first.frame(frame);
      return edited === undefined ? undefined : second.frame(edited);
    },
  };
};

/** Returns the bytes of whole frames with an editor's changes. Frames that do not change are passed on as received. */
export const editedBytes = (editor: FrameEditor, { bytes, frames }: Split, writer: FrameWriter): Buffer => {
  const parts: Buffer[] = [];
  let copied = 0;
  let from = 0;
  for (const frame of frames) {
    const edited = editor.frame(frame);
    if (edited?.data !== frame.data) {
      if (copied < from) parts.push(bytes.subarray(copied, from));
      if (edited !== undefined) parts.push(writer.write([edited]));
      copied = frame.end;
    }
    from = frame.end;
  }
  if (copied === 0) return bytes;
  if (copied < bytes.length) parts.push(bytes.subarray(copied));
  const [only = noBytes] = parts;
  return parts.length > 1 ? Buffer.concat(parts) : only;
};
