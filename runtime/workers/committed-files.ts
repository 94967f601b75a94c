import type { CommittedFiles, HandedFiles } from './calls.ts';

export const noFiles: CommittedFiles = { good: [], current: [] };

/** Returns the files that are served after a reading of the folder. If some were refused, their last good versions stay. */
export const commitFiles = (
  before: CommittedFiles,
  current: HandedFiles,
  refused: ReadonlySet<string>,
): CommittedFiles => ({
  good: [
    ...current.filter((source) => 'text' in source && !refused.has(source.file)),
    ...before.good.filter(({ file }) => refused.has(file)),
  ],
  current,
});
