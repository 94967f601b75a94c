import type { Call, NextStep } from '../scenario.ts';

/** The results of tools, with the calls as the library represents them. */
export const toResults = (
  calls: readonly Call[],
  { results }: NextStep,
): readonly { readonly id: string; readonly name: string; readonly text: string }[] =>
  calls.map(({ id, name }, at) => ({ id, name, text: results[at] ?? '' }));
