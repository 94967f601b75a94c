/** The thread of the log's sinks: it queues records, and sends them to receivers. */
import { parentPort, workerData } from 'node:worker_threads';
import { FollowedSink } from '../../plugins/control/logs/sinks/followed-sink.ts';
import type { FromSinks, SinkThreadStart, ToSinks } from '../../plugins/control/logs/sinks/messages.ts';
import { defaultBounds, type RunningSink, RunningSinks } from '../../plugins/control/logs/sinks/run-sinks.ts';
import { importPlugin } from '../../plugins/host/loading/load-file.ts';
import { type LogSink, wholeSink } from '../../plugins/sdk/sink/sink.ts';
import type { SinkEntry } from '../../plugins/sdk/sink/sink-entry.ts';
import { loadBuiltinSink } from '../../plugins/sinks/builtin-sinks.ts';
import { Deadlines } from '../../runtime/async/deadlines.ts';
import { secretReader } from '../../runtime/cli/settings/secret-reader.ts';
import { sinkHttp } from '../../runtime/engine/guardrail-checks/sink-http.ts';
import { systemClock } from '../../runtime/in-memory/system-clock.ts';
import { createUpstreams, type Upstreams } from '../../runtime/upstream/upstreams.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { resolveOptions } from './resolve-options.ts';

const { entries, trustedHosts, egress, counts }: SinkThreadStart = workerData;
const say = (message: FromSinks): void => parentPort?.postMessage(message);
const deadlines = new Deadlines(systemClock);
const read = secretReader(process.env);

/** Uses the same proxy as the gateway. */
const openUpstreams = async (): Promise<Upstreams> => {
  if (egress === undefined) return createUpstreams({ trustedHosts, clock: systemClock });
  const { toEgressRules } = await import('../../runtime/cli/settings/to-egress-rules.ts');
  return createUpstreams({
    ...{ trustedHosts, clock: systemClock },
    egress: toEgressRules(egress, { env: process.env, read }),
  });
};

/** Returns a sink by its id. Plugins were checked when the gateway file was read. */
const findSink = async ({ sink: id, file }: SinkEntry): Promise<LogSink> => {
  if (file === undefined) return loadBuiltinSink(id);
  const plugin = await importPlugin({ package: file, pointer: rootPointer }, file);
  const found = 'problems' in plugin ? undefined : plugin.sinks?.find((each) => each.id === id);
  if (found === undefined) throw new Error(`The plugin in ${file} has no sink "${id}".`);
  return wholeSink(found);
};

const open = async (entry: SinkEntry, upstreams: Upstreams): Promise<RunningSink> => {
  try {
    const sink = await findSink(entry);
    const resolve = () => resolveOptions(sink.options, entry.options, read);
    const bounds = { ...defaultBounds, ...sink.batch, ...sink.bounds?.(resolve().options) };
    const http = sinkHttp({ upstreams, deadlines, sendMs: bounds.sendMs });
    return { sink: new FollowedSink({ sink, resolve, services: { http, timers: systemClock } }), bounds };
  } catch (error) {
    throw new Error(`The sink "${entry.name}" in "log.sinks" of the gateway file cannot be used: ${errorText(error)}`);
  }
};

try {
  const upstreams = await openUpstreams();
  const running = new RunningSinks({
    ...{
      sinks: await Promise.all(entries.map((entry) => open(entry, upstreams))),
      clock: systemClock,
      random: Math.random,
    },
    counts: new Float64Array(counts),
    say: (sink, state) => say({ kind: 'state', sink, ...state }),
  });
  parentPort?.on('message', (message: ToSinks) => {
    if (message.kind === 'records') {
      running.take(message.work, message.wanted);
      say({ kind: 'taken' });
      return;
    }
    void running.close(message.graceMs).then(() => say({ kind: 'closed' }));
  });
  say({ kind: 'ready' });
} catch (error) {
  say({ kind: 'failed', reason: errorText(error) });
}
