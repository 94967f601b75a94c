/** The variable that clients of a provider have its key in. */
export const keyVariable = (provider: string): string =>
  provider === 'google' ? 'GEMINI_API_KEY' : `${provider.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_API_KEY`;
