/** Returns the environment variable in which clients of a provider expect its key. */
export const keyVariable = (provider: string): string =>
  provider === 'google' ? 'GEMINI_API_KEY' : `${provider.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_API_KEY`;
