import type { OwnerStatus } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { OwnerAlertOptions, OwnerAlerts } from '../../cli/services/alerts.ts';
import type { ServeServices } from '../../cli/services/serve-services.ts';
import type { WorkersOptions } from '../../cli/services/workers.ts';
import { secretReader } from '../../cli/settings/secret-reader.ts';
import { servedTrustedHosts } from '../../cli/settings/to-service-keys.ts';
import type { WorkerProcess } from './worker-process.ts';

/** How many milliseconds a worker has to find the slug of a workspace. */
const slugMs = 5000;

export interface OpenOwnerAlertsOptions extends Pick<WorkersOptions, 'environment' | 'address' | 'store'> {
  readonly io: Pick<ServeServices['io'], 'env' | 'dropped'>;
  readonly open: (options: OwnerAlertOptions) => Promise<OwnerAlerts>;
  readonly workers: () => readonly WorkerProcess[];
  readonly owned: () => OwnerStatus;
  /** How long queued messages may still be sent once the gateway closes, in milliseconds. */
  readonly closeMs: () => number;
  readonly log: (text: string) => void;
}

/** Opens the alerts of the gateway file, which judge what all workers see. Undefined if it has none. Throws a `ServeFailure`. */
export const openOwnerAlerts = async ({
  environment: { settings, plugins },
  address: { host },
  store,
  io,
  open,
  workers,
  owned,
  closeMs,
  log,
}: OpenOwnerAlertsOptions): Promise<OwnerAlerts | undefined> => {
  if (settings.alerts === undefined) return undefined;
  const [{ alertWays, ownLosses }, { openCommandCalls }] = await Promise.all([
    import('../../cli/settings/alert-settings.ts'),
    import('../../cli/configure/command-calls.ts'),
  ]);
  const { env } = io;
  const trustedHosts = servedTrustedHosts(settings, { env, host, hasStore: store !== undefined });
  const calls = await openCommandCalls({ plugins, settings, env, trustedHosts });
  const findSlug = async (workspace: string): Promise<string | undefined> => {
    const [worker] = workers();
    if (worker === undefined) throw new Error('No worker serves.');
    return worker.channel.ask('findSlug', { workspace }, slugMs);
  };
  const opened = await open({
    ...alertWays(settings.alerts, { read: secretReader(env), http: calls.http }),
    findSlug: store === undefined ? undefined : findSlug,
    own: () => {
      const { sinks, ledgerFailure } = owned();
      return {
        dropped: ownLosses({ droppedLines: io.dropped?.() ?? 0, sinks }),
        unavailable: new Set(ledgerFailure === undefined ? [] : ['ledger']),
      };
    },
    closeMs,
    log,
  });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await calls.close();
    },
  };
};
