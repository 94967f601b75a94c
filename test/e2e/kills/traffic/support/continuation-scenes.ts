import type { Answering } from './counting-provider.ts';
import type { Scene } from './killed-in-turn.ts';
import { continued, continuedByClaude } from './traffic-gateway.ts';

const cut: Answering = { words: 7, end: 'cut', used: { input: 50, output: 20 } };
const rest: Answering = { words: 2, end: 'whole', used: { input: 61, output: 12 } };

/** Streams that break and continue at a second target. */
export const continuationScenes: readonly Scene[] = [
  {
    ...{ name: 'the first is under way', config: continued, stream: true, words: 7 },
    calls: { claude: { ...cut, end: 'open', as: 'open' } },
  },
  {
    ...{ name: 'the second has not begun', config: continued, stream: true, words: 7, goesOnWith: 7 },
    calls: { claude: { ...cut, as: 'unfinished' }, gpt: { ...rest, end: 'silent', as: 'open' } },
  },
  {
    ...{ name: 'the second is under way', config: continued, stream: true, words: 9, goesOnWith: 7 },
    calls: { claude: { ...cut, as: 'unfinished' }, gpt: { ...rest, end: 'open', as: 'open' } },
  },
  {
    ...{ name: 'the second is under way, and has said what it read', config: continuedByClaude, stream: true },
    ...{ words: 9, goesOnWith: 7 },
    calls: { gpt: { ...cut, as: 'unfinished' }, claude: { ...rest, end: 'open', as: 'open' } },
  },
  {
    ...{ name: 'both have ended', config: continued, stream: true, words: 9, goesOnWith: 7 },
    calls: { claude: { ...cut, as: 'unfinished' }, gpt: { ...rest, as: 'reported' } },
  },
];
