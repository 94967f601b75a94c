import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { FrameWriter, Split } from '../../plugins/sdk/framings/framing.ts';
import { noBytes } from './stream-relay.ts';
import { withoutMember } from './without-member.ts';

export interface StripOptions {
  readonly dialect: Dialect;
  /** The member that frames have only because the gateway asked for usage. */
  readonly member: string;
}

/** Takes out of a stream what the gateway requested for itself: frames with only that, and the member in all others. */
export class UsageStripper {
  readonly #dialect: Dialect;
  readonly #member: string;
  /** Occurs in every frame that may change. */
  readonly mark: string;

  constructor({ dialect, member }: StripOptions) {
    this.#dialect = dialect;
    this.#member = member;
    this.mark = `"${member}"`;
  }

  /** The frame as the client gets it; undefined if it gets none. */
  frame(frame: Frame): Frame | undefined {
    if (!frame.data.includes(this.mark)) return frame;
    if (this.#dialect.classify(frame) === 'usage') return undefined;
    const data = withoutMember(frame.data, this.#member);
    return data === frame.data ? frame : { ...frame, data };
  }

  /** The same for the bytes of whole frames: all that does not change goes on as received. */
  bytes({ bytes, frames }: Split, writer: FrameWriter): Buffer {
    const parts: Buffer[] = [];
    let copied = 0;
    let from = 0;
    for (const { end, ...frame } of frames) {
      const stripped = this.frame(frame);
      if (stripped?.data !== frame.data) {
        parts.push(bytes.subarray(copied, from), stripped === undefined ? noBytes : writer.write([stripped]));
        copied = end;
      }
      from = end;
    }
    return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(copied)]);
  }
}
