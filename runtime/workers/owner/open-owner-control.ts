import type { ControlOwner } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { ControlOwnerOptions } from '../../cli/services/workers.ts';
import { controlSinks, toSinkEgress } from '../../cli/settings/control-settings.ts';
import { secretReader } from '../../cli/settings/secret-reader.ts';
import { type OwnerTrustedHostsOptions, ownerTrustedHosts } from './owner-trusted-hosts.ts';

export interface OpenOwnerControlOptions extends OwnerTrustedHostsOptions {
  readonly open: (options: ControlOwnerOptions) => Promise<ControlOwner>;
  /** For how many milliseconds what waits may be sent once the gateway closes. */
  readonly closeMs: () => number;
}

/** Opens what of the control plane is one for all workers; undefined without a store. Throws a `ServeFailure`. */
export const openOwnerControl = async ({
  open,
  closeMs,
  ...given
}: OpenOwnerControlOptions): Promise<ControlOwner | undefined> => {
  const { environment, store: url, io } = given;
  if (url === undefined) return undefined;
  const { settings } = environment;
  const entries = controlSinks(environment, secretReader(io.env));
  return open({
    url,
    counts: settings.store?.limits === undefined,
    ...(settings.store?.ledger === undefined ? {} : { ledger: settings.store.ledger }),
    ...(entries.length === 0
      ? {}
      : { sinks: { entries, trustedHosts: ownerTrustedHosts(given), ...toSinkEgress(settings), closeMs } }),
  });
};
