import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The bytes of chunks after which those that nobody holds any more are collected. */
const collectedBytes = 8 * 1024 * 1024;

type CollectGarbage = (options: { readonly type: 'minor' }) => void;

/** V8's collector, which only a context has that is made while the flag is set. */
const loadCollector = (): CollectGarbage => {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
};

let collect: CollectGarbage | undefined;
let uncollected = 0;

/**
 * Says that a chunk of a large form went by. V8 sees a few bytes of each, since their memory is not in its heap, and would let 64 MB
 * of them become garbage before it looks: so it is asked to look at what is new, which takes less than a millisecond.
 */
export const passChunk = ({ length }: Uint8Array): void => {
  uncollected += length;
  if (uncollected < collectedBytes) return;
  uncollected = 0;
  collect ??= loadCollector();
  collect({ type: 'minor' });
};
