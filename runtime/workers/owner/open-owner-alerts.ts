import { isLoopback } from '../../../schema/http/is-loopback.ts';
import { toTrustedHosts } from '../../../schema/http/is-trusted.ts';
import type { OwnerAlertOptions, OwnerAlerts } from '../../cli/services/alerts.ts';
import type { ServeServices } from '../../cli/services/serve-services.ts';
import type { WorkersOptions } from '../../cli/services/workers.ts';
import { secretReader } from '../../cli/settings/secret-reader.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Milliseconds that a worker has to find the slug of a workspace. */
const slugMs = 5000;

export interface OpenOwnerAlertsOptions extends Pick<WorkersOptions, 'environment' | 'address' | 'store'> {
  readonly io: ServeServices['io'];
  readonly open: (options: OwnerAlertOptions) => Promise<OwnerAlerts>;
  readonly workers: () => readonly WorkerProcess[];
  /** For how many milliseconds what waits may be sent once the gateway closes. */
  readonly closeMs: () => number;
  readonly log: (text: string) => void;
}

/** Opens the alerts of the gateway file, which judge what all workers see; undefined if it has none. Throws a `ServeFailure`. */
export const openOwnerAlerts = async ({
  environment: { settings, plugins },
  address,
  store,
  io,
  open,
  workers,
  closeMs,
  log,
}: OpenOwnerAlertsOptions): Promise<OwnerAlerts | undefined> => {
  if (settings.alerts === undefined) return undefined;
  const [{ alertWays }, { openOwnCalls }] = await Promise.all([
    import('../../cli/settings/alert-settings.ts'),
    import('../../cli/own-calls.ts'),
  ]);
  const { env } = io;
  const hasKeys = (settings.auth?.keys ?? []).length > 0 || store !== undefined;
  const trustedHosts = toTrustedHosts(env.GW_TRUSTED_HOSTS, settings, isLoopback(address.host) && !hasKeys);
  const calls = await openOwnCalls({ plugins, settings, env, trustedHosts });
  const findSlug = async (workspace: string): Promise<string | undefined> => {
    const [worker] = workers();
    if (worker === undefined) throw new Error('No worker serves.');
    return worker.channel.ask('findSlug', { workspace }, slugMs);
  };
  const opened = await open({
    ...alertWays(settings.alerts, { read: secretReader(env), http: calls.http }),
    findSlug: store === undefined ? undefined : findSlug,
    droppedLines: () => io.dropped?.() ?? 0,
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
