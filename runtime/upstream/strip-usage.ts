import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { FrameEditor } from './frame-edits.ts';
import { withoutMember } from './without-member.ts';

export interface StripOptions {
  readonly dialect: Dialect;
  /** The member that frames have only because the gateway asked for usage. */
  readonly member: string;
}

/** Takes out of a stream what the gateway requested for itself: frames with only that, and the member in all others. */
export class UsageStripper implements FrameEditor {
  readonly #dialect: Dialect;
  readonly #member: string;
  readonly #mark: string;
  readonly marks: readonly string[];

  constructor({ dialect, member }: StripOptions) {
    this.#dialect = dialect;
    this.#member = member;
    this.#mark = `"${member}"`;
    this.marks = [this.#mark];
  }

  /** The frame as the client gets it; undefined if it gets none. */
  frame(frame: Frame): Frame | undefined {
    if (!frame.data.includes(this.#mark)) return frame;
    if (this.#dialect.classify(frame) === 'usage') return undefined;
    const data = withoutMember(frame.data, this.#member);
    return data === frame.data ? frame : { ...frame, data };
  }
}
