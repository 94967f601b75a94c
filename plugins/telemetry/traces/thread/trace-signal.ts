import type { Signal, SignalOptions } from './signal.ts';
import { spanExporter } from './span-exporter.ts';
import { SpanQueue } from './span-queue.ts';
import { SpanWriter } from './span-writer.ts';
import { createSpans } from './spans.ts';
import { toldExports } from './told-exports.ts';

export const traceSignal = (options: SignalOptions): Signal => {
  const { packages, url: base, timeOrigin, tell } = options;
  const url = `${base}/v1/traces`;
  const exporter = toldExports(spanExporter(options, url), { what: 'traces', url, tell });
  const queue = new SpanQueue({ packages, exporter, tell });
  const spans = createSpans({ createTraceState: packages.api.createTraceState, timeOrigin });
  const writer = new SpanWriter(options);
  return {
    take(record) {
      const { place } = record;
      if (place !== null && queue.takesSpan()) queue.add(writer.write((to) => spans.write(to, record, place)));
    },
    shutdown: () => queue.end(),
  };
};
