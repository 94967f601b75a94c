import { sharedBucket } from '../bounds.ts';
import type { Charge, CounterState } from '../limits.ts';

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'> & Partial<Charge>;

/** A counter that something is charged to as scripts read it, in JSON: a list in their order. */
export type SentPlace = readonly (string | number)[];

/** A bucket may be a text that is not well-formed, which the JSON of Redis does not read. */
export const toSentPlace = ({ policy, bucket, unit, limit = 0, reset }: Place): SentPlace => {
  const sent = [policy, bucket.toWellFormed(), unit ?? '', limit, reset.every];
  return reset.every === 'days' ? [...sent, reset.days, reset.from] : sent;
};

/** The words with which scripts say what a counter has. */
export const wordsOfState = 4;

/** A counter from its words: what is settled, what is reserved, its end, and whether it is the shared one. */
export const fromStateWords = (
  { policy, bucket, limit }: Pick<Charge, 'policy' | 'bucket' | 'limit'>,
  [used, reserved, end, place]: readonly string[],
): CounterState => ({
  policy,
  bucket: place === sharedBucket ? sharedBucket : bucket,
  used: Number(used),
  reserved: Number(reserved),
  limit,
  ...(end === '-' ? {} : { resetsAt: Number(end) }),
});
