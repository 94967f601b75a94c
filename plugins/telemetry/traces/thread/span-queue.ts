import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { ToldDrops } from '../told-drops.ts';
import type { Packages } from './packages.ts';
import { exportMs } from './signal.ts';

/** How long spans wait for others. `OTEL_BSP_SCHEDULE_DELAY` is what all of OpenTelemetry calls it. */
const batchDelayMs = (): number => Number(process.env.OTEL_BSP_SCHEDULE_DELAY) || 5000;
/** Spans that wait for the receiver; what is more is dropped. */
const mostWaiting = 4096;

export interface SpanQueueOptions {
  readonly packages: Pick<Packages, 'trace'>;
  readonly exporter: SpanExporter;
  /** Tells the operator. */
  readonly tell: (text: string) => void;
}

/** Spans that wait to be sent, in batches of 512, one at a time. The SDK drops what is too much without a word. */
export class SpanQueue {
  readonly #processor: InstanceType<Packages['trace']['BatchSpanProcessor']>;
  readonly #drops: ToldDrops;
  #waiting = 0;

  constructor({ packages, exporter, tell }: SpanQueueOptions) {
    this.#drops = new ToldDrops({ what: 'spans', because: 'the receiver takes them more slowly than they come', tell });
    this.#processor = new packages.trace.BatchSpanProcessor({
      exporter: {
        export: (spans, done) => {
          this.#waiting -= spans.length;
          exporter.export(spans, done);
        },
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: mostWaiting,
      scheduledDelayMillis: batchDelayMs(),
      exportTimeoutMillis: exportMs,
    });
  }

  add(span: ReadableSpan): void {
    if (this.#waiting === mostWaiting) {
      this.#drops.add();
      return;
    }
    this.#waiting += 1;
    this.#processor.onEnd(span);
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    this.#drops.end();
    await this.#processor.shutdown();
  }
}
