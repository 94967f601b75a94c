import { gatewayError } from '../../../../schema/errors/errors.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Account } from './account.ts';

/**
 * The path of a collection, such as `tuningJobs`, in the region of an account; the provider writes the project in the place of
 * `-`. Throws the `GatewayError` `missing-base-url` without a region.
 */
export const vertexPath = ({ settings, provider }: Account, collection: string): string => {
  const region = findText(settings.cloudb_region);
  if (region === undefined) throw gatewayError('missing-base-url', { provider, reason: 'cloudb_region is missing.' });
  return `/projects/-/locations/${encodeURIComponent(region)}/${collection}`;
};
