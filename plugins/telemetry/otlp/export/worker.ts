/**
 * The thread in which all of OpenTelemetry runs. It reads records of requests, and sends the spans and measurements created from
 * them.
 */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { RecordReader } from '../../../sdk/binary/record-reader.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { readRecords } from '../records/record-codec.ts';
import type { FromThread, ThreadStart, ToThread } from './messages.ts';
import { metricSignal } from './metric-signal.ts';
import { importPackages } from './packages.ts';
import { answersReader } from './read-answers.ts';
import { resourceAttributes } from './resource.ts';
import type { SignalOptions } from './signal.ts';
import { traceSignal } from './trace-signal.ts';

const { settings, read }: ThreadStart = workerData;

const say = (message: FromThread): void => parentPort?.postMessage(message);

const packages = await importPackages();
const log = (text: string): void => say({ kind: 'log', text });
const answers = await answersReader(settings.reading, settings.timeOrigin);
const { resources } = packages;
const attributes = resourceAttributes({ ...settings, resources, env: process.env, log });
const options: SignalOptions = {
  ...settings,
  packages,
  attributes,
  resource: resources.resourceFromAttributes(attributes),
  listedModel: answers.listedModel,
  log,
};
const signals = [
  ...(settings.traces ? [traceSignal(options)] : []),
  ...(settings.metrics ? [metricSignal(options)] : []),
];

const reader = new RecordReader();

const take = async (message: ToThread): Promise<void> => {
  if (message.kind === 'close') {
    await Promise.allSettled(signals.map((signal) => signal.shutdown()));
    parentPort?.close();
    return;
  }
  if (message.kind === 'models') {
    for (const signal of signals) signal.addModels?.(message.names);
    return;
  }
  const records = readRecords(reader, toBuffer(message.records));
  for (const record of await answers.read(records)) for (const signal of signals) signal.take(record);
  Atomics.add(read, 0, 1);
  // Lets exports make progress between batches.
  await setImmediate();
};

let turn = Promise.resolve();
parentPort?.on('message', (message: ToThread) => {
  turn = turn.then(() => take(message));
});
say({ kind: 'ready' });
