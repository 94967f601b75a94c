import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { EventPool } from '../mutate/events.ts';
import type { FramePool } from '../mutate/frames.ts';
import { type Corpus, toCorpus, toDonors } from './corpus.ts';
import type { Random } from './random.ts';

/** A dialect with conversations. */
export interface Speaker {
  readonly dialect: Dialect;
  readonly codec: ConversationCodec;
}

/** The dialect under test, and everything that its cases use. */
export interface Subject {
  readonly dialect: Dialect;
  readonly corpus: Corpus;
  readonly pool: FramePool & EventPool;
}

/** One case: the source of its choices, and the place where it notes what it generated, for the message if it fails. */
export interface FuzzCase {
  readonly random: Random;
  note(name: string, value: unknown): void;
}

/** Every dialect with conversations. */
export const speakers: readonly Speaker[] = builtinDialects.flatMap((dialect) =>
  dialect.conversation === undefined ? [] : [{ dialect, codec: dialect.conversation }],
);

/** Returns a dialect itself, and some of all dialects. Over many cases, every pair occurs. */
export const pickSpeakers = (dialect: Dialect, random: Random): readonly Speaker[] => [
  ...speakers.filter((speaker) => speaker.dialect === dialect),
  ...random.some(speakers, 2),
];

export const toSubject = (dialect: Dialect, seed: number): Subject => {
  const corpus = toCorpus(dialect, seed);
  const donors = toDonors(corpus);
  const pool = {
    words: corpus.words,
    streams: corpus.streams,
    events: corpus.events.flat(),
    dialects: builtinDialects.map(({ id }) => id),
    donor: (random: Random) => structuredClone(random.pick(donors)),
  };
  return { dialect, corpus, pool };
};
