import { definePlugin, type Plugin } from '../../sdk/plugin/plugin.ts';
import type { ThreadSettings } from './export/messages.ts';
import { resolvePackages } from './export/packages.ts';
import { RecordBatches } from './records/record-batches.ts';
import { tapRequests } from './tap-requests.ts';
import { startTelemetryThread } from './telemetry-thread.ts';

export interface OpenTelemetryOptions extends ThreadSettings {
  /** From 0 to 1, for requests whose client does not specify whether they are traced. */
  readonly sampleRatio: number;
  /** Returns milliseconds of the runtime's clock. */
  readonly now: () => number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/**
 * Creates the plugin that sends traces and metrics to a receiver of OTLP over HTTP. Nothing waits for it: a separate thread
 * creates spans and measurements from records of requests, sends them in batches, and drops them if too many are waiting.
 *
 * @throws MissingPackage
 */
export const openTelemetry = async (options: OpenTelemetryOptions): Promise<Plugin> => {
  const { sampleRatio, now, log, ...settings } = options;
  const { traces, metrics } = settings;
  resolvePackages();
  const thread = await startTelemetryThread(settings, log);
  const records = new RecordBatches(thread, log);
  return definePlugin({
    name: 'gatewright/telemetry',
    apply: (hooks) => {
      tapRequests(hooks, { traces, metrics, sampleRatio, now, records, addModels: thread.addModels });
      hooks.close.tapPromise('gatewright/telemetry', async () => {
        records.end();
        await thread.close();
      });
    },
  });
};
