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

/** The hint for a name among those that are known. */
export const nearestProviderHint = (written: string, known: Iterable<string>): string =>
  providerHint([closestName(written.slice(0, longestName), known) ?? []].flat());
