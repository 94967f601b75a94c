import type { CheckSample } from './sample.ts';

const moon = { text: 'Tell me about the moon.' };
const flagged = { text: 'Tell me about plutonium.' };

/** The checks that ask no service. */
export const localSamples: readonly CheckSample[] = [
  { id: 'default.contains', parameters: { words: ['plutonium'], operator: 'none' }, passes: moon, fails: flagged },
  { id: 'default.regexMatch', parameters: { rule: 'm[o]+n' }, passes: moon, fails: flagged },
];
