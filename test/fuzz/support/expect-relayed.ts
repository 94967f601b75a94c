import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import type { Outcome, Relayed } from './relay.ts';
import { expectSameFrames, split } from './split.ts';

interface Client {
  readonly dialect: Dialect;
  readonly framing: Framing;
  /** Frames in the client's own dialect are passed on undecoded, whatever is wrong with them. */
  readonly isTranslated: boolean;
}

/** Throws unless the client's stream is complete or its last frame is an error. */
export const expectRelayed = ({ dialect, framing, isTranslated }: Client, { bytes, end }: Relayed): void => {
  if (end === 'refused') return;
  const { frames, error } = split(framing, [bytes]);
  if (error !== undefined) throw new Error(`The client cannot read its stream: ${error}`);
  const classes = frames.map((frame) => dialect.classify(frame));
  const errorAt = classes.indexOf('error');
  if (end === 'failed') {
    // The Responses format has two frames for an error.
    if (errorAt === -1 || classes.slice(errorAt).some((kind) => kind !== 'error'))
      throw new Error('A failed stream does not end with its error.');
    return;
  }
  if (end !== 'complete') throw new Error(`A stream whose client stays ended as ${end}.`);
  if (errorAt !== -1) throw new Error('A complete stream contains an error.');
  if (!classes.includes('end')) throw new Error('A complete stream has no end.');
  const codec = dialect.conversation;
  if (!isTranslated || codec === undefined) return;
  const decoder = codec.streamDecoder({ scope: 'here' });
  const last = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()].at(-1);
  if (last?.kind !== 'end') throw new Error('A complete stream is cut to its reader.');
};

/** Throws if a stream that arrived in pieces differs from the same bytes at once. An error may follow what that sent. */
export const expectSameRelayed = (framing: Framing, atOnce: Outcome, { bytes, end }: Relayed): void => {
  if ((atOnce.end === 'whole') !== (end === 'complete'))
    throw new Error('The end of a stream depends on where the bytes of the upstream were cut.');
  // Nothing was sent yet.
  if (end === 'refused') return;
  const once = split(framing, [atOnce.bytes]);
  const pieces = split(framing, [bytes]);
  const frames = end === 'complete' ? pieces.frames : pieces.frames.slice(0, once.frames.length);
  expectSameFrames(once, { frames });
};
