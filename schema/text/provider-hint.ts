/** A hint for the name of an unknown provider; `near` is the one that may have been meant. */
export const providerHint = (near: string | undefined): string =>
  `${near === undefined ? '' : `Did you mean "${near}"? `}Run gw providers kinds to list all. For another service that follows ` +
  'OpenAI\'s API, write "openai-compatible" and a "custom_host".';
