import type { OwnerStatus } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { SinkStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { ServeIo } from '../../cli/services/serve-services.ts';
import type { AlertStatus } from '../../status-pages/alert-status.ts';
import type { MetricsText } from '../../status-pages/metrics-page.ts';
import { lastingPage, sumPages, toPage } from './sum-metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

const askMs = 2000;
const type = 'text/plain; version=0.0.4; charset=utf-8';

export interface WholeMetrics {
  /** Returns the sum of the metrics of all workers, including those that have ended, as far as they were read. */
  read(): Promise<string>;
  /** Does the same, as a page. */
  page(): Promise<MetricsText>;
  /** Stores the last metrics of a worker. */
  keep(worker: WorkerProcess, page: string): void;
  /** Called when a worker has ended. Its totals stay in the sum, which must not fall. */
  forget(worker: WorkerProcess): void;
}

const droppedName = 'gatewright_log_records_dropped_total';
const alertsName = 'gatewright_alerts_total';
const alertResults = ['delivered', 'refused', 'expired', 'dropped'] as const;

/** Returns the metrics of the receivers of alerts. None are shown if there are no receivers. */
const alertLines = (receivers: readonly AlertStatus[]): string =>
  receivers.length === 0
    ? ''
    : [
        `# TYPE ${alertsName} counter`,
        ...[...Map.groupBy(receivers, ({ to }) => to)].flatMap(([to, ofKind]) =>
          alertResults.map((result) => {
            const count = ofKind.reduce((sum, counts) => sum + counts[result], 0);
            return `${alertsName}{receiver="${to}",result="${result}"} ${count}`;
          }),
        ),
        '',
      ].join('\n');

const sinkRecordsName = 'gatewright_log_sink_records_total';
const sinkWaitingName = 'gatewright_log_sink_records_waiting';
const sinkResults = ['delivered', 'dropped', 'refused', 'expired'] as const;

const toLabel = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Returns the metrics of the sinks of the log. None are shown if there are no sinks. */
const sinkLines = (sinks: readonly SinkStatus[]): string =>
  sinks.length === 0
    ? ''
    : [
        `# TYPE ${sinkRecordsName} counter`,
        ...sinks.flatMap((sink) =>
          sinkResults.map(
            (result) => `${sinkRecordsName}{sink="${toLabel(sink.name)}",result="${result}"} ${sink[result]}`,
          ),
        ),
        `# TYPE ${sinkWaitingName} gauge`,
        ...sinks.map(({ name, waiting }) => `${sinkWaitingName}{sink="${toLabel(name)}"} ${waiting}`),
        '',
      ].join('\n');

const partName = 'gatewright_store_parts_unavailable';

/** Returns the metric of the ledger if this process writes it and cannot. The metrics of workers have the other parts. */
const ledgerLines = (ledgerFailure: string | undefined): string =>
  ledgerFailure === undefined ? '' : `# TYPE ${partName} gauge\n${partName}{part="ledger"} 1\n`;

/** The parts of the metrics that this process has, and no worker. */
export interface OwnerMetrics {
  readonly io: Pick<ServeIo, 'dropped'>;
  readonly alerts: () => readonly AlertStatus[];
  readonly owned: () => OwnerStatus;
}

/** Reads and adds up the metrics of workers. This process also drops lines of logs, and sends alerts and the records of sinks. */
export const readMetricsOf = (
  workers: () => readonly WorkerProcess[],
  { io, alerts, owned }: OwnerMetrics,
): WholeMetrics => {
  /** The last page of each worker. */
  const last = new Map<WorkerProcess, string>();
  let ended = '';
  const ownPage = (): string => {
    const { sinks, ledgerFailure } = owned();
    const dropped = `# TYPE ${droppedName} counter\n${droppedName} ${io.dropped?.() ?? 0}\n`;
    return [dropped, alertLines(alerts()), sinkLines(sinks), ledgerLines(ledgerFailure)].join('');
  };
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
