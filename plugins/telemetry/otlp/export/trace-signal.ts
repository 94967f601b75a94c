import { logExports } from './log-exports.ts';
import type { Signal, SignalOptions } from './signal.ts';
import { spanExporter } from './span-exporter.ts';
import { SpanQueue } from './span-queue.ts';
import { SpanWriter } from './span-writer.ts';
import { createSpans } from './spans.ts';

export const traceSignal = (options: SignalOptions): Signal => {
  const { packages, url: base, timeOrigin, log } = options;
  const url = `${base}/v1/traces`;
  const exporter = logExports(spanExporter(options, url), { what: 'traces', url, log });
  const queue = new SpanQueue({ packages, exporter, log });
  const spans = createSpans({ createTraceState: packages.api.createTraceState, timeOrigin });
  const writer = new SpanWriter(options);
  return {
    take(record) {
      if (record.kind === 'overhead') return;
      const { place } = record;
      if (place !== null && queue.takesSpan()) queue.add(writer.write((to) => spans.write(to, record, place)));
    },
    shutdown: () => queue.end(),
  };
};
