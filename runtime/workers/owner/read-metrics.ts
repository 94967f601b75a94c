import type { ServeIo } from '../../cli/services/serve-services.ts';
import type { MetricsText } from '../../pages/metrics-page.ts';
import { lastingPage, sumPages, toPage } from '../pages/sum-metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

const askMs = 2000;
const type = 'text/plain; version=0.0.4; charset=utf-8';

export interface WholeMetrics {
  /** The sum of the metrics of all workers, and of those that have ended, as far as they were read before. */
  read(): Promise<string>;
  /** The same, as a page. */
  page(): Promise<MetricsText>;
  /** The last that a worker says. */
  keep(worker: WorkerProcess, page: string): void;
  /** A worker has ended. Its totals stay in the sum, which must not fall. */
  forget(worker: WorkerProcess): void;
}

const droppedName = 'gatewright_log_records_dropped_total';

/** Reads and adds up the metrics of workers. Lines of logs are dropped by this process, and by no other. */
export const readMetricsOf = (workers: () => readonly WorkerProcess[], io: Pick<ServeIo, 'dropped'>): WholeMetrics => {
  /** The last page of each worker. */
  const last = new Map<WorkerProcess, string>();
  let ended = '';
  const ownPage = (): string => `# TYPE ${droppedName} counter\n${droppedName} ${io.dropped?.() ?? 0}\n`;
  const read = async (): Promise<string> => {
    await Promise.all(
      workers().map(async (worker) => {
        const page = await worker.channel.ask('metrics', undefined, askMs).catch(() => undefined);
        if (page !== undefined && worker.state !== 'ended') last.set(worker, page);
      }),
    );
    return toPage(sumPages([...last.values(), ended, ownPage()]));
  };
  return {
    read,
    page: async () => ({ type, text: await read() }),
    keep: (worker, page) => void last.set(worker, page),
    forget: (worker) => {
      const page = last.get(worker);
      last.delete(worker);
      if (page !== undefined) ended = toPage(sumPages([ended, lastingPage(page)]));
    },
  };
};
