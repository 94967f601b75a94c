import type { Draft } from './draft.ts';
import type { SourceObject } from './read-source.ts';

/** How often a config may have a target asked again. */
const maxRetries = 5;

/** The retries of a source as a config can have them; undefined where it states no number. More than that are noted. */
export const readRetries = (source: SourceObject, name: string, draft: Draft): number | undefined => {
  const stated = source.number(name);
  if (stated === undefined) return undefined;
  if (stated > maxRetries)
    draft.lose(
      source.at(name),
      `A target is asked again at most ${maxRetries} times.`,
      `It is ${maxRetries} in the config.`,
    );
  return Math.min(maxRetries, Math.max(0, Math.floor(stated)));
};
