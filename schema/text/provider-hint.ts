import { closestName } from './closest-name.ts';

/** More are not shown: the list of all is. */
const maxShown = 4;

/** A hint for the name of an unknown provider; `meant` are those that may have been meant. */
export const providerHint = (meant: readonly string[]): string =>
  `${
    meant.length === 0
      ? ''
      : `Did you mean ${meant
          .slice(0, maxShown)
          .map((id) => `"${id}"`)
          .join(' or ')}? `
  }Run gw providers kinds to list all. For another service that follows ` +
  'OpenAI\'s API, write "openai-compatible" and a "custom_host".';

/** No name of a provider is longer; the rest of a text cannot bring it nearer to one. */
const longestName = 64;

const shortestBeginning = 3;

const segments = (name: string): readonly string[] => name.split(/[-_. ]/);

/** Whether a name is the beginning of the other, or one of them is a whole part of the other: `vertex` of `vertex-ai`. */
const isPartOf = (name: string, known: string): boolean =>
  segments(known).includes(name) ||
  segments(name).includes(known) ||
  (name.length >= shortestBeginning && known.startsWith(name));

/** The known names that a name is a part of, in the order of letters: both `azure-ai` and `azure-openai` for `azure`. */
export const namesWithPart = (written: string, known: Iterable<string>): readonly string[] => {
  const name = written.toLowerCase();
  return [...known].filter((each) => isPartOf(name, each.toLowerCase())).sort();
};

/** The hint for a name among those that are known: those that it is a part of, or else the one that is nearly the same. */
export const nearestProviderHint = (written: string, known: Iterable<string>): string => {
  const name = written.slice(0, longestName);
  const names = [...known];
  const parts = namesWithPart(name, names);
  return providerHint(parts.length > 0 ? parts : [closestName(name, names) ?? []].flat());
};
