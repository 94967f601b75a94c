import type { Answering } from './counting-provider.ts';
import type { Scene } from './killed-in-turn.ts';
import { hedged, heldBack } from './traffic-gateway.ts';

const silent: Answering = { words: 0, end: 'silent', used: { input: 50, output: 20 } };
const open: Answering = { words: 3, end: 'open', used: { input: 44, output: 33 } };

/** It answers half a second later, when the other one has sent its words. */
const later: Answering = { words: 2, end: 'whole', waitMs: 500, used: { input: 41, output: 31 } };

/** Requests with a hedge: which target answers, and which is cancelled. */
export const hedgeScenes: readonly Scene[] = [
  {
    ...{ name: 'neither has begun', config: hedged, words: 0 },
    calls: { claude: { ...silent, as: 'open' }, gpt: { ...silent, as: 'open' } },
  },
  {
    ...{ name: 'the loser has not begun', config: hedged, stream: true, words: 2 },
    calls: { claude: { ...silent, as: 'unfinished' }, gpt: { ...later, as: 'reported' } },
  },
  {
    ...{ name: 'the loser is the second', config: hedged, stream: true, words: 2 },
    calls: { claude: { ...later, after: 'gpt', as: 'reported' }, gpt: { ...silent, as: 'unfinished' } },
  },
  {
    ...{ name: 'the loser has sent a half of its answer', config: hedged, words: 0 },
    calls: { claude: { ...open, as: 'unfinished' }, gpt: { ...later, as: 'reported' } },
  },
  {
    ...{ name: 'the loser is amid its stream', config: heldBack, stream: true, words: 2 },
    calls: { claude: { ...open, as: 'unfinished' }, gpt: { ...later, as: 'reported' } },
  },
  {
    ...{ name: 'the winner is amid its stream', config: heldBack, stream: true, words: 2 },
    calls: { claude: { ...open, as: 'unfinished' }, gpt: { ...later, end: 'open', as: 'open' } },
  },
];
