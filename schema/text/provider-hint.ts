import { closestName } from './closest-name.ts';

/** The most names to show. */
const maxShown = 4;

/** Returns a hint for the name of an unknown provider. `meant` lists those that may have been meant. */
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

/** The length of the longest provider name. The rest of a longer text does not matter for comparisons. */
const longestName = 64;

const shortestBeginning = 3;

const segments = (name: string): readonly string[] => name.split(/[-_. ]/);

/** Whether a name is the beginning of the known one, or one of them is a whole part of the other: `vertex` of `vertex-ai`. */
const isPartOf = (name: string, known: string): boolean =>
  segments(known).includes(name) ||
  segments(name).includes(known) ||
  (name.length >= shortestBeginning && known.startsWith(name));

/** Returns the known names of which a name is a part, in alphabetical order: `azure-ai` and `azure-openai` for `azure`. */
export const namesWithPart = (written: string, known: Iterable<string>): readonly string[] => {
  const name = written.toLowerCase();
  return [...known].filter((each) => isPartOf(name, each.toLowerCase())).sort();
};

/** Returns the hint for an unknown name: the known names of which it is a part, or else the closest one. */
export const nearestProviderHint = (written: string, known: Iterable<string>): string => {
  const name = written.slice(0, longestName);
  const names = [...known];
  const parts = namesWithPart(name, names);
  return providerHint(parts.length > 0 ? parts : [closestName(name, names) ?? []].flat());
};
