import type { ControlOwner } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { ServeServices } from '../../cli/services/serve-services.ts';
import type { ControlOwnerOptions, WorkersOptions } from '../../cli/services/workers.ts';
import { controlSinks, masterKeyReader, toSinkEgress } from '../../cli/settings/control-settings.ts';
import { secretReader } from '../../cli/settings/secret-reader.ts';
import { servedTrustedHosts } from '../../cli/settings/to-service-keys.ts';

export interface OpenOwnerControlOptions extends Pick<WorkersOptions, 'environment' | 'address' | 'store'> {
  readonly io: Pick<ServeServices['io'], 'env'>;
  readonly open: (options: ControlOwnerOptions) => Promise<ControlOwner>;
  /** How long queued messages may still be sent once the gateway closes, in milliseconds. */
  readonly closeMs: () => number;
}

/** Opens the parts of the control plane that all workers share. Undefined without a store. Throws a `ServeFailure`. */
export const openOwnerControl = async ({
  open,
  closeMs,
  environment,
  address: { host },
  store: url,
  io: { env },
}: OpenOwnerControlOptions): Promise<ControlOwner | undefined> => {
  if (url === undefined) return undefined;
  const { settings } = environment;
  const entries = controlSinks(environment, secretReader(env));
  return open({
    ...{ url, env },
    ...masterKeyReader(settings, secretReader(env)),
    counts: settings.store?.limits === undefined,
    ...(settings.store?.ledger === undefined ? {} : { ledger: settings.store.ledger }),
    ...(entries.length === 0
      ? {}
      : {
          sinks: {
            entries,
            trustedHosts: servedTrustedHosts(settings, { env, host, hasStore: true }),
            ...toSinkEgress(settings),
            closeMs,
          },
        }),
  });
};
