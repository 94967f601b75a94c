import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { ReceivedRequest } from '../support/servers/upstream-server.ts';
import { aPost, authorized } from '../support/vendors/authorize.ts';
import { credentialOf, originOf, settingsOf } from './targets.ts';

/** Returns the URL of the request for a target without `custom_host`. Some paths are on another host of the vendor. */
export const findAddress = async (provider: Provider, { path }: ReceivedRequest): Promise<string> => {
  const usual = originOf(provider);
  if (usual === '' || provider.authorize === undefined) return usual + path;
  const script = { credential: credentialOf(provider), settings: settingsOf(provider) };
  const { origin } = await authorized(provider, { ...aPost, origin: usual, path }, script);
  return origin + path;
};
