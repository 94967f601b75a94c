import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { DropLog } from '../records/drop-log.ts';
import type { Packages } from './packages.ts';
import { exportMs } from './signal.ts';
import type { SpanExporter } from './span-exporter.ts';
import type { WrittenSpan } from './span-writer.ts';

/** The processor reads of a span only its ids and whether it is sampled. */
type ProcessedSpan = ReadableSpan & WrittenSpan;

/** How long spans wait for others, in milliseconds. `OTEL_BSP_SCHEDULE_DELAY` is OpenTelemetry's standard variable for it. */
const batchDelayMs = (): number => Number(process.env.OTEL_BSP_SCHEDULE_DELAY) || 5000;
/** The maximum number of spans that wait for the receiver. Others are dropped. */
const maxWaiting = 4096;
/** The maximum number of spans in one export: some receivers accept at most 1 MB, and most spans have less than 500 bytes. */
const maxOfExport = 1024;

export interface SpanQueueOptions {
  readonly packages: Pick<Packages, 'trace'>;
  readonly exporter: SpanExporter;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** Queues spans and sends them in batches. The SDK drops excess spans silently. */
export class SpanQueue {
  readonly #processor: InstanceType<Packages['trace']['BatchSpanProcessor']>;
  readonly #drops: DropLog;
  #waiting = 0;

  constructor({ packages, exporter, log }: SpanQueueOptions) {
    this.#drops = new DropLog({
      what: 'spans',
      because: 'the receiver takes them more slowly than they come',
      log,
    });
    this.#processor = new packages.trace.BatchSpanProcessor({
      exporter: {
        export: (spans, done) => {
          this.#waiting -= spans.length;
          exporter.export(spans as readonly ReadableSpan[] as readonly ProcessedSpan[], done);
        },
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: maxWaiting,
      maxExportBatchSize: maxOfExport,
      scheduledDelayMillis: batchDelayMs(),
      exportTimeoutMillis: exportMs,
    });
  }

  /** Whether there is room for a span. If not, it counts as dropped. */
  takesSpan(): boolean {
    if (this.#waiting < maxWaiting) return true;
    this.#drops.add();
    return false;
  }

  add(span: WrittenSpan): void {
    this.#waiting += 1;
    this.#processor.onEnd(span as ProcessedSpan);
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    this.#drops.end();
    await this.#processor.shutdown();
  }
}
