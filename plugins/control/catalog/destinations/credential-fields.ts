import type { Provider } from '../../../sdk/provider/provider.ts';

/** The fields of a provider's credential; the first is its main one. */
export const toCredentialFields = ({ credential, credentialFields = ['api_key'] }: Provider): readonly string[] =>
  credential === 'none' ? [] : credentialFields;
