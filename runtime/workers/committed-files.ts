import type { CommittedFiles, HandedFiles } from './calls.ts';

export const noFiles: CommittedFiles = { good: [], current: [] };

/** The files that are served when a reading of the folder is, of which some were refused: their last good versions stay. */
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
