/** The thread in which all of OpenTelemetry runs: it reads records of requests, and sends what it makes of them. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toBuffer } from '../../../sdk/to-buffer.ts';
import { readRecords } from '../record-codec.ts';
import { RecordReader } from '../record-reader.ts';
import type { FromThread, ThreadStart, ToThread } from './messages.ts';
import { metricSignal } from './metric-signal.ts';
import { importPackages } from './packages.ts';
import { answersReader } from './read-answers.ts';
import type { SignalOptions } from './signal.ts';
import { traceSignal } from './trace-signal.ts';

const { settings, read }: ThreadStart = workerData;

const say = (message: FromThread): void => parentPort?.postMessage(message);

const packages = await importPackages();
const options: SignalOptions = {
  ...settings,
  packages,
  resource: packages.resources.resourceFromAttributes({ 'service.name': settings.serviceName }),
  tell: (text) => say({ kind: 'tell', text }),
};
const signals = [
  ...(settings.traces ? [traceSignal(options)] : []),
  ...(settings.metrics ? [metricSignal(options)] : []),
];

const reader = new RecordReader();
const readAnswers = await answersReader(settings.reading, settings.timeOrigin);

const take = async (message: ToThread): Promise<void> => {
  if (message.kind === 'close') {
    await Promise.allSettled(signals.map((signal) => signal.shutdown()));
    parentPort?.close();
    return;
  }
  const records = readRecords(reader, toBuffer(message.records));
  for (const record of await readAnswers(records)) for (const signal of signals) signal.take(record);
  Atomics.add(read, 0, 1);
  // Exports make progress between batches.
  await setImmediate();
};

let turn = Promise.resolve();
parentPort?.on('message', (message: ToThread) => {
  turn = turn.then(() => take(message));
});
say({ kind: 'ready' });
