import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many bytes of chunks pass before unreferenced ones are collected. */
const collectedBytes = 8 * 1024 * 1024;

type CollectGarbage = (options: { readonly type: 'minor' }) => void;

/** Returns V8's collector, which exists only in a context that is created while the flag is set. */
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
 * Called for each chunk of a large form. The memory of chunks is outside V8's heap, so V8 sees only a few bytes of each, and
 * would let 64 MB of them become garbage before it collects. So it is asked to collect new objects, which takes less than a
 * millisecond.
 */
export const passChunk = ({ length }: Uint8Array): void => {
  uncollected += length;
  if (uncollected < collectedBytes) return;
  uncollected = 0;
  collect ??= loadCollector();
  collect({ type: 'minor' });
};
