import { errorText } from '../../schema/text/error-text.ts';
import type { ConfiguredService } from '../cli/configure/configure-service.ts';
import { logRestarts } from '../cli/reload/log-restarts.ts';
import { toSampleRequest } from '../cli/sample-request.ts';
import {
  drainTimes,
  followLater,
  isFlushed,
  loadPlans,
  maxFlushMs,
  open,
  openListenerTls,
  ownCloseMs,
} from '../cli/serve.ts';
import type { IsolatedPart, IsolationLink } from '../cli/services/serve-environment.ts';
import type { ServeIo, ServeServices } from '../cli/services/serve-services.ts';
import { findStore } from '../cli/settings/control-settings.ts';
import { readEnvironment } from '../cli/settings/read-environment.ts';
import { secretReader } from '../cli/settings/secret-reader.ts';
import { parseServeOptions, type ServeOptions, toAddress, UsageError } from '../cli/settings/serve-options.ts';
import { untilStopped } from '../cli/until-stopped.ts';
import type { Generations, PreparedReload } from '../file-plans/generations.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import { startGatewayServer } from '../server/node-http/gateway-server.ts';
import type { ReadyFacts } from '../status-pages/ready-facts.ts';
import type { Prepared } from './calls.ts';
import { endOnCrash } from './end-on-crash.ts';
import { handedSource } from './handed-source.ts';
import { ownerCache } from './owner-cache.ts';
import type { OwnerLink } from './owner-link.ts';
import { ownerVectors } from './owner-vectors.ts';
import { createReplicatedBreakers } from './replicated-breakers.ts';
import { createReplicatedItems } from './replicated-items.ts';
import { workerServer } from './worker-server.ts';

const readinessMs = 2000;
const metricsMs = 5000;
const confirmMs = 1000;

/** Wraps printing: of a text that all workers print alike, the owner prints one. */
const printingOnce = (services: ServeServices, { channel }: OwnerLink): ServeServices => ({
  ...services,
  io: {
    ...services.io,
    stdout: (text) => channel.notify('print', { to: 'out', text, once: true }),
    stderr: (text, state) => channel.notify('print', { to: 'err', text, once: true, state }),
  },
});

/** Returns the page of a worker whose owner does not answer. */
const alone = (own: ReadyFacts): ReadyFacts =>
  own.status === 'ready' || own.status === 'degraded'
    ? { ...own, status: 'degraded', reason: 'The process that owns the workers does not answer.' }
    : own;

/** Returns the link to the isolated plugins of the owner, with the function that answers its requests. */
const linkIsolation = ({ channel }: OwnerLink): IsolationLink & { answer(request: unknown): Promise<unknown> } => {
  let answer = async (_: unknown): Promise<unknown> => {
    throw new Error('There is no isolated plugin.');
  };
  return {
    ask: (question, ms) => channel.ask('isolated', question, ms),
    onRequest: (next) => {
      answer = next;
    },
    answer: (request) => answer(request),
  };
};

/** Only the reload that was prepared last is kept. */
const preparing = (
  { generations, isolated }: { readonly generations: Generations; readonly isolated: readonly IsolatedPart[] },
  hand: (files: Parameters<ReturnType<typeof handedSource>['hand']>[0]) => void,
) => {
  let prepared: PreparedReload | undefined;
  let latest = 0;
  return {
    prepare: async ({ files, relink }: { files: Parameters<typeof hand>[0]; relink: boolean }): Promise<Prepared> => {
      latest += 1;
      const own = latest;
      prepared?.abort();
      prepared = undefined;
      hand(files);
      // The owner may have put another version of them on trial.
      await Promise.all(isolated.map((part) => part.refresh()));
      const next = await generations.prepare({ relink });
      // The owner did not wait for this one. The next can only begin when it is decided.
      if (own !== latest) {
        next.abort();
        throw new Error('Another reload was requested meanwhile.');
      }
      prepared = next;
      return { findings: next.findings, outcome: next.outcome() };
    },
    decide: ({ commit }: { commit: boolean }) => {
      if (commit) prepared?.commit();
      else prepared?.abort();
      prepared = undefined;
      return { generation: generations.current.number, reason: generations.status().reason };
    },
  };
};

const readText = async (read: ConfiguredService['metrics']): Promise<string> =>
  read === undefined ? '' : (await read()).text;

/** Runs a gateway that is one of several workers. Resolves when it has ended. */
const run = async (options: ServeOptions, link: OwnerLink, services: ServeServices): Promise<void> => {
  const { seat, channel, handle } = link;
  const { io } = services;
  const once = printingOnce(services, link);
  const breakers = createReplicatedBreakers({
    clock: systemClock,
    send: (change) => channel.notify('circuit', change),
  });
  breakers.receive({ seen: 0, states: seat.circuits });
  const items = createReplicatedItems(systemClock, (remembered) => channel.notify('items', remembered));
  for (const remembered of seat.items) items.receive(remembered);
  const { gatewayFile } = seat;
  const readFile = async (file: string): Promise<string | undefined> =>
    file === gatewayFile?.file ? gatewayFile.text : undefined;
  const isolation = linkIsolation(link);
  const environment = await readEnvironment(options, {
    ...once,
    io: { ...once.io, readFile },
    environment: (source) => services.environment(source, isolation),
  });
  const { settings } = environment;
  const address = toAddress(options, settings.listen, io.env);
  const store = findStore(options, environment, { cwd: io.cwd, read: secretReader(io.env) });
  const times = drainTimes(options, settings, io);
  const secure = await openListenerTls(environment, once);
  const secretFiles = followLater(once, settings);
  const source = handedSource(seat.files?.good ?? []);
  let endsAt: number | undefined;
  const configured = await open({
    ...{ options, environment, services, host: address.host },
    onSecretFile: secretFiles.begin,
    closeMs: () => Math.max(0, (endsAt ?? Number.NEGATIVE_INFINITY) - systemClock.monotonic() - ownCloseMs),
    ...(store === undefined ? {} : { store }),
    shared: {
      source: source.wrap,
      breakers,
      control: { workers: seat.workers, ask: (question, ms) => channel.ask('control', question, ms) },
      announce: once.io.stderr,
      alerts: (news) => channel.notify('alerts', news),
      cache: ownerCache(channel),
      vectors: ownerVectors(channel),
      rememberedItems: items,
      placeholderKey: seat.placeholderKey,
      metrics: async () => ({
        type: 'text/plain; version=0.0.4; charset=utf-8',
        text: await channel.ask('wholeMetrics', undefined, metricsMs),
      }),
    },
  });
  const { service } = configured;
  const { generations } = service;
  await loadPlans(service, { options, services: once, environment });
  source.hand(seat.files?.current ?? []);
  const loaded = await generations.prepare();
  loaded.commit();
  const server = await startGatewayServer({
    ...{ ...address, handle, service, clock: systemClock, secure: secure?.open },
    log: (text) => io.stderr(`gw: ${text}\n`),
    joined: (own) => channel.ask('wholeReadiness', own, readinessMs).catch(() => alone(own)),
  });
  const listening = workerServer({
    listening: server,
    retireMs: times.drainDelayMs,
    hasOwner: () => !channel.isClosed,
  });
  endOnCrash({ listening, log: (text) => io.stderr(`gw: ${text}\n`), flushed: () => channel.flushed() });
  service.start();
  // Comes before any call is answered, because a signal may be among those that came while this worker started.
  // A worker that drains because it is replaced gets another signal if its owner stops or is lost. Its owner kills it if it must.
  const stopped = untilStopped({ listening, io, ...times, reloads: true, endsAtSecond: false, clock: systemClock });
  // The owner has ended meanwhile, and its signals could not stop what did not exist yet.
  if (channel.isClosed) link.signal('SIGTERM');
  channel.answer({
    readiness: () => server.readiness(),
    metrics: () => readText(configured.metrics),
    ...preparing({ generations, isolated: environment.isolated }, source.hand),
    findSlug: async ({ workspace }) => configured.findSlug?.(workspace),
    signal: ({ signal }) => link.signal(signal),
    retire: () => listening.retire(() => link.signal('SIGTERM')),
    circuits: (news) => breakers.receive(news),
    isolated: (request) => isolation.answer(request),
    items: (remembered) => items.receive(remembered),
  });
  channel.notify('listens', {
    plans: [...generations.current.entries.keys()],
    sample: toSampleRequest(generations.current, settings),
    outcome: loaded.outcome(),
    generation: generations.current.number,
  });
  secretFiles.serving({
    ...configured,
    service: {
      ...service,
      generations: {
        ...generations,
        reload: async () => {
          channel.notify('relink', undefined);
          return [];
        },
      },
    },
  });
  const stopFollowing = secure?.follow();
  const stopLogging = logRestarts({
    generations: { noteRestart: (reasons) => channel.notify('restarts', reasons) },
    io: { ...io, stderr: () => {} },
    reasons: async () => [...(await configured.restarts()), ...(await secretFiles.restarts())],
  });
  const { leftMs } = await stopped;
  secretFiles.stop();
  stopFollowing?.();
  endsAt = systemClock.monotonic() + leftMs;
  stopLogging();
  // Plugins are notified of a circuit that the last requests have opened before they close.
  if (breakers.isWaiting) await channel.ask('confirm', undefined, Math.min(leftMs, confirmMs)).catch(() => {});
  await service.gateway.close();
  channel.notify('leaves', await readText(configured.metrics));
  if (!(await isFlushed(io, Math.min(leftMs, maxFlushMs)))) io.exit(0);
};

/** The input and output of a worker: signals come from its owner, and what it prints is sent there. */
const workerIo = (io: ServeIo, { channel, onSignal }: OwnerLink): ServeIo => ({
  ...io,
  stdout: (text) => channel.notify('print', { to: 'out', text }),
  stderr: (text) => channel.notify('print', { to: 'err', text }),
  dropped: () => 0,
  flushed: () => channel.flushed(),
  onSignal,
});

/** Runs a worker. Resolves to the exit code, like `serve`. Its owner prints why it cannot start. */
export const runWorker = async (link: OwnerLink, services: ServeServices, argv: readonly string[]): Promise<number> => {
  const { channel } = link;
  try {
    await run(parseServeOptions(argv), link, { ...services, io: workerIo(services.io, link) });
    return 0;
  } catch (error) {
    const code = error instanceof UsageError ? 2 : 1;
    channel.notify('fails', { message: errorText(error), code });
    await channel.flushed();
    return code;
  }
};
