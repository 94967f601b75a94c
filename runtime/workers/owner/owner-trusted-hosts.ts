import { isLoopback } from '../../../schema/http/is-loopback.ts';
import { toTrustedHosts } from '../../../schema/http/is-trusted.ts';
import type { ServeServices } from '../../cli/services/serve-services.ts';
import type { WorkersOptions } from '../../cli/services/workers.ts';

export interface OwnerTrustedHostsOptions extends Pick<WorkersOptions, 'environment' | 'address' | 'store'> {
  readonly io: Pick<ServeServices['io'], 'env'>;
}

/** The hosts that may be private for what the owner of the workers sends, as for what these send. */
export const ownerTrustedHosts = ({
  environment: { settings },
  address,
  store,
  io,
}: OwnerTrustedHostsOptions): readonly string[] => {
  const hasKeys = (settings.auth?.keys ?? []).length > 0 || store !== undefined;
  return toTrustedHosts(io.env.GW_TRUSTED_HOSTS, settings, isLoopback(address.host) && !hasKeys);
};
