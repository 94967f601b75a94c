import type { Clock } from '../../sdk/clock.ts';
import type { LogStatus } from '../../sdk/control-plane/store-status.ts';
import type { Hooks } from '../../sdk/hooks/hooks.ts';
import type { Sealer } from '../kernel/secrets/sealer.ts';
import { tapLog } from './log-hooks.ts';
import { sealedBodies } from './recording/sealed-bodies.ts';
import type { LogSettings } from './settings/log-settings.ts';
import type { LogStore } from './store/log-store.ts';
import { openLogStore } from './store/open-log-store.ts';
import { startLogWriter } from './writer/log-writer.ts';

export interface OpenLogOptions {
  /** The URL of the store, beside or in which the log is. */
  readonly url: string;
  readonly settings: LogSettings;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly clock: Clock;
  readonly say: (text: string) => void;
}

/** The log of a gateway. */
export interface OpenedLog {
  readonly settings: LogSettings;
  /** Where it is read and written beside that. Throws a `StoreError` where it could not be opened. */
  store(): LogStore;
  status(): LogStatus;
  /** Notes every request that ends. */
  tap(hooks: Hooks): void;
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

/** Opens the log. It resolves also where the log cannot be opened: the operator is told, and it is tried again. */
export const openLog = async ({ url, settings, sealer, clock, say }: OpenLogOptions): Promise<OpenedLog> => {
  const { keepDays, keepMb } = settings;
  const writer = await startLogWriter({
    open: () => openLogStore(url, keepMb * megabyte),
    seal: ({ id, workspace, bodies }) => sealedBodies({ id, workspace_id: workspace }, bodies, { sealer, settings }),
    kept: { days: keepDays, bytes: keepMb * megabyte },
    clock,
    say,
  });
  return {
    settings,
    store: () => writer.store(),
    status: () => writer.status(),
    tap: (hooks) => tapLog(hooks, { clock, settings, add: (request) => writer.add(request) }),
    close: () => writer.close(),
  };
};
