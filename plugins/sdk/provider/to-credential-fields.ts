import type { Provider } from './provider.ts';

/** Returns the fields of a provider's credential, the main one first. For an unknown provider, the default field. */
export const toCredentialFields = (provider: Provider | undefined): readonly string[] =>
  provider?.credential === 'none' ? [] : (provider?.credentialFields ?? ['api_key']);
