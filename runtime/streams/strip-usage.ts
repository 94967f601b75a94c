import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import { topMember } from '../json-bodies/edit/top-member.ts';
import { withoutPlace } from '../json-bodies/edit/without-member.ts';
import type { FrameEditor } from './frame-edits.ts';

export interface StripOptions {
  readonly dialect: Dialect;
  /** The member that frames have only because the gateway requested usage. */
  readonly member: string;
}

/** Removes from a stream what only the gateway requested: frames with nothing else, and the member in all others. */
export class UsageStripper implements FrameEditor {
  readonly #dialect: Dialect;
  readonly #member: string;
  readonly #mark: string;
  readonly marks: readonly string[];

  constructor({ dialect, member }: StripOptions) {
    this.#dialect = dialect;
    this.#member = member;
    // Without its first quote, because text is full of quotes, and a search that begins with one is slow.
    this.#mark = `${member}"`;
    this.marks = [this.#mark];
  }

  /** Returns the frame for the client. Undefined if there is none. */
  frame(frame: Frame): Frame | undefined {
    const { data } = frame;
    if (!data.includes(this.#mark)) return frame;
    const place = topMember(data, this.#member);
    // Many providers send null in every frame except the one with the counts.
    const isNull = place !== undefined && data.startsWith('null', place.value);
    if (!isNull && this.#dialect.classify(frame) === 'usage') return undefined;
    return place === undefined ? frame : { ...frame, data: withoutPlace(data, place) };
  }
}
