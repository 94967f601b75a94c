import type { Provider } from '../../../plugins/sdk/provider/provider.ts';

/** The config fields that hold a provider's credential; of a name that no provider has, the usual one. */
export const toCredentialFields = (provider: Provider | undefined): readonly string[] =>
  provider?.credential === 'none' ? [] : (provider?.credentialFields ?? ['api_key']);
