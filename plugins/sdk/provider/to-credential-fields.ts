import type { Provider } from './provider.ts';

/** Lists the fields of a provider's credential, the main one first; of a name that no provider has, the usual one. */
export const toCredentialFields = (provider: Provider | undefined): readonly string[] =>
  provider?.credential === 'none' ? [] : (provider?.credentialFields ?? ['api_key']);
