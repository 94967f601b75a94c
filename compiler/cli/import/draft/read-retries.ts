import type { Draft } from './draft.ts';
import type { SourceObject } from './read-source.ts';

/** The maximum number of retries that a config may set. */
const maxRetries = 5;

/** Reads the retries of a source, up to the maximum of a config; undefined if it states no number. A larger number is noted. */
export const readRetries = (source: SourceObject, name: string, draft: Draft): number | undefined => {
  const stated = source.number(name);
  if (stated === undefined) return undefined;
  if (stated > maxRetries)
    draft.lose(
      source.at(name),
      `A target is retried at most ${maxRetries} times.`,
      `It is ${maxRetries} in the config.`,
    );
  return Math.min(maxRetries, Math.max(0, Math.floor(stated)));
};
