import { closestName } from './closest-name.ts';

/** A hint for the name of an unknown provider; `near` is the one that may have been meant. */
export const providerHint = (near: string | undefined): string =>
  `${near === undefined ? '' : `Did you mean "${near}"? `}Run gw providers kinds to list all. For another service that follows ` +
  'OpenAI\'s API, write "openai-compatible" and a "custom_host".';

/** No name of a provider is longer; the rest of a text cannot bring it nearer to one. */
const longestName = 64;

/** The hint for a name among those that are known. */
export const nearestProviderHint = (written: string, known: Iterable<string>): string =>
  providerHint(closestName(written.slice(0, longestName), known));
