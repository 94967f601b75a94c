import type { Call, NextStep } from '../scenario.ts';

/** What the tools gave, with the calls as the library knows them. */
export const toResults = (
  calls: readonly Call[],
  { results }: NextStep,
): readonly { readonly id: string; readonly name: string; readonly text: string }[] =>
  calls.map(({ id, name }, at) => ({ id, name, text: results[at] ?? '' }));
