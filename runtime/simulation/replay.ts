import { defaultReading, type TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { buildCatalogue, type Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { type ErrorReport, errorReport, GatewayError } from '../../schema/errors/errors.ts';
import { rootPointer, toOptionPath } from '../../schema/json/pointer.ts';
import type { Writable } from '../../schema/json/writable.ts';
import type { FindModelFacts } from '../../schema/model-facts/find-facts.ts';
import { type RoutingPlan, requireFeature, type Target } from '../../schema/plan/plan.ts';
import { eventsBeforeDeadline } from '../../schema/trail/events-before-deadline.ts';
import { withCopies } from '../../schema/trail/recorded-copies.ts';
import type { Replay, RequestScript } from '../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { TargetPlaces } from '../engine/call/context.ts';
import type { Abilities } from '../engine/call/run.ts';
import { errorResponse } from '../engine/error-responses/error-response.ts';
import { createRuntime } from '../engine/gateway.ts';
import type { OnLoss, PassThrough } from '../engine/link.ts';
import type { StageCode } from '../engine/stages/stage-code.ts';
import { wholeStages } from '../engine/stages/whole-stages.ts';
import { createClients, type UnknownHeaders } from '../http/exchange/clients.ts';
import { createMemoryBreakers } from '../in-memory/memory-breakers.ts';
import { seededChance } from '../in-memory/seeded-chance.ts';
import type { Clock } from '../ports/clock.ts';
import { drain } from '../streams/drained.ts';
import { asksToStream, spokenTo } from './called-dialect.ts';
import { recordedBreakers, withOwnState } from './recorded-breakers.ts';
import { recordedCaches } from './recorded-caches.ts';
import { recordedChecks } from './recorded-checks.ts';
import { recordedContinues } from './recorded-continues.ts';
import { withRecordedErrors } from './recorded-errors.ts';
import { recordedHedges } from './recorded-hedges.ts';
import { madeUpSecrets, recordedKeys } from './recorded-keys.ts';
import { recordedMoments } from './recorded-moments.ts';
import { recordedRetries } from './recorded-retries.ts';
import { replayExchange } from './replay-exchange.ts';
import { ScriptedCalls } from './scripted-calls.ts';
import { scriptedUpstream } from './scripted-upstream.ts';
import { type Attempt, Turns } from './turns.ts';
import { unpriced } from './unpriced.ts';
import { unreadPrompts } from './unread-prompts.ts';
import { withUpstream } from './with-upstream.ts';
import { withoutMirrors } from './without-mirrors.ts';
import { withoutProbes } from './without-probes.ts';

/** A clock on which time passes only while something waits. */
export interface ReplayClock extends Clock {
  settle<Value>(promise: Promise<Value>): Promise<Value>;
}

export interface ReplayOptions {
  readonly plan: RoutingPlan;
  readonly script: RequestScript;
  /** With all of their code, as loaded by `loadWholePlugins`, because virtual time waits only for timers. */
  readonly plugins: readonly Plugin[];
  readonly clock: ReplayClock;
  /** Default: `judged`. */
  readonly passThrough?: PassThrough | undefined;
  /** How checks read bodies. Default: the new turns, and all members. */
  readonly reading?: TextReading | undefined;
  /** Default: `tell`. */
  readonly onLoss?: OnLoss | undefined;
  /** Default: `refuse`. */
  readonly unknownHeaders?: UnknownHeaders | undefined;
  /** Loads the facts of models if a plan requires certain abilities of its targets. If absent, nothing is known. */
  readonly models?: (() => Promise<FindModelFacts>) | undefined;
}

/** Whether the trail is as long as it was when the deadline passed while nothing was being sent. */
const isAtDeadline = (trail: readonly TrailEvent[], { deadlinePasses, recorded = [] }: RequestScript): boolean =>
  deadlinePasses?.during === 'later' && trail.length >= eventsBeforeDeadline(recorded, 'later');

/** The target of the current attempt. */
interface Stage extends Writable<Attempt> {
  target: Target | undefined;
}

const unfit = errorReport('invalid-request', { dialect: "provider's", reason: 'as it was recorded.' });

/** Returns the error of a leaf for which a limit was reached. */
const limitReport = (status: number): ErrorReport => ({
  ...errorReport('rate-limited', { policy: 'recorded', limit: 'nothing more', suggestion: '' }),
  status,
});

/** Refuses the attempts that were refused after others of their leaf. */
const recordedPlaces = ({ limitedAt = [] }: RequestScript): TargetPlaces => ({
  isBusy: () => false,
  around: (attempt) => async (call) => {
    const next = call.attempts + 1;
    const limit = limitedAt.find((each) => next > 1 && each.path === call.leaf.path && each.attempt === next);
    if (limit !== undefined) throw new GatewayError(limitReport(limit.status));
    return attempt(call);
  },
});

interface Watching {
  readonly stage: Stage;
  /** Makes the client disconnect. */
  readonly leave: () => void;
  /** Makes the deadline pass. */
  readonly endInTime: () => void;
}

const watching = (plan: RoutingPlan, script: RequestScript, { stage, leave, endInTime }: Watching): Plugin => {
  const { inexpressibleAt = [], limitedAt = [], clientLeaves, recorded = [] } = script;
  const lookAtTime = (_what: unknown, { trail }: Exchange): void => {
    if (isAtDeadline(trail, script)) endInTime();
  };
  return definePlugin({
    name: 'gatewright/replay',
    apply: (hooks) => {
      for (const hook of [hooks.attempted, hooks.retried, hooks.fellBack, hooks.judged])
        hook.tap('gatewright/replay', lookAtTime);
      hooks.attempting.tap('gatewright/replay', ({ target, path, attempt }) => {
        stage.path = path;
        stage.attempt = attempt;
        stage.target = plan.targets.find(({ id }) => id === target);
      });
      hooks.admit.tapAsync('gatewright/replay', (leaf, exchange, callback) => {
        lookAtTime(leaf, exchange);
        const limit = limitedAt.find(({ path, attempt }) => path === leaf.path && attempt === 1);
        if (limit !== undefined) callback(null, errorResponse(limitReport(limit.status), { dialect: undefined }));
        else if (inexpressibleAt.includes(leaf.path)) callback(null, errorResponse(unfit, { dialect: undefined }));
        else callback();
      });
      hooks.retried.tap('gatewright/replay', (_event, { trail }) => {
        if (clientLeaves === 'wait' && trail.length === recorded.length - 1) leave();
      });
    },
  });
};

/** Returns the abilities of targets as they were recorded. */
const recordedAbilities = ({ missingAt: lacked = {} }: RequestScript): Abilities => ({
  ready: () => undefined,
  lacks: (_run, { leaf }) => lacked[leaf.path] ?? [],
});

/** More than all waits of a request add up to, in milliseconds. */
const endless = 1e12;

/**
 * Returns targets that time out when the trail says so, if two branches ran at the same time, because their waits take other
 * times here.
 */
const recordedTimeouts = (targets: readonly Target[], trail: readonly TrailEvent[]): readonly Target[] =>
  trail.some(({ kind }) => kind === 'hedged') ? targets.map((target) => ({ ...target, timeoutMs: endless })) : targets;

/** Returns the plan with its recorded circuits, verdicts and cached answers. Without a recording, its caches are empty. */
const replayedPlan = (
  plan: RoutingPlan,
  { recorded, deadlinePasses, hadDeadline = false }: RequestScript,
  { checks }: Pick<Catalogue, 'checks'>,
): { readonly plan: RoutingPlan; readonly plugins: readonly Plugin[] } => {
  const { root: uncached, caches } = recordedCaches(recordedHedges(plan.root, recorded), recorded ?? []);
  const modes = caches.map(({ mode }) => mode);
  const needs = { ...plan.requires.plugins, caches: modes };
  if (recorded === undefined)
    return { plan: { ...plan, root: uncached, requires: { ...plan.requires, plugins: needs } }, plugins: [] };
  const uncopied = withoutMirrors(uncached);
  const timely = hadDeadline ? recordedRetries(uncopied, recorded) : uncopied;
  const { root, guardrails } = recordedChecks(withOwnState(timely), recorded, checks);
  const plugins = { ...needs, checks: guardrails.map(({ id }) => id) };
  const { deadlineMs: _deadlineMs, ...timeless } = plan;
  return {
    plan: {
      ...timeless,
      // It passes when the script says so, because it is not recorded how long answers took.
      ...(deadlinePasses === undefined ? {} : { deadlineMs: deadlinePasses.ms }),
      root,
      targets: recordedTimeouts(plan.targets, recorded),
      requires: { ...plan.requires, plugins },
    },
    plugins: [definePlugin({ name: 'gatewright/recorded', guardrails, caches })],
  };
};

/** Returns the code of stages that repeats what was recorded. */
const recordedCode = ({ recorded }: RequestScript, hedges: StageCode['hedges']): StageCode =>
  recorded === undefined
    ? wholeStages
    : recordedContinues(
        { ...wholeStages, hedges, keys: () => ({ ...wholeStages.keys(), linkKeys: recordedKeys(recorded) }) },
        recorded,
      );

/**
 * Links a plan and runs one request through it, with upstreams that follow the script. Opens no connection, reads no secret and
 * takes no time. Rejects with a `LinkError` if a plugin is missing, and with a `GatewayError` for a path that the gateway does
 * not have.
 */
export const replay = async ({
  plan: given,
  script,
  plugins,
  clock,
  passThrough = 'judged',
  reading = defaultReading,
  onLoss = 'tell',
  unknownHeaders = 'refuse',
  models,
}: ReplayOptions): Promise<Replay> => {
  const catalogue = buildCatalogue(plugins);
  const { dialects } = catalogue;
  const exchange = replayExchange(script, {
    clients: createClients(plugins, { unknownHeaders }),
    dialects,
    plan: given,
  });
  // The answers of leaves that refused an attempt because of its cost are recorded.
  const { plan, plugins: recorded } = replayedPlan(withoutProbes(unpriced(given)), script, catalogue);
  const stage: Stage = { target: undefined, path: rootPointer, attempt: 0 };
  const calls = new ScriptedCalls(script.upstream);
  const turns = new Turns(exchange.trail, calls);
  const { deadlinePasses, recorded: trail = [] } = script;
  const isHedged = trail.some(({ kind }) => kind === 'hedged');
  const isRequired = plan.requires.features.includes(requireFeature) && script.recorded === undefined;
  const find = isRequired ? await models?.() : undefined;
  const leave = (): void => void clock.after(0, () => exchange.cancellation.cancel());
  const endInTime = (): void =>
    exchange.cancellation.cancel(deadlinePasses && errorReport('deadline-exceeded', { ms: deadlinePasses.ms }));
  const upstream = scriptedUpstream({
    clock,
    step: () => {
      const step = calls.take(stage.target?.id ?? '', stage.path);
      if (step === undefined && isHedged) {
        turns.leaveOut({ path: stage.path, attempt: stage.attempt });
        return { error: 'hang' };
      }
      turns.look();
      if (script.clientLeaves === 'call' && calls.left === 0) leave();
      if (deadlinePasses?.during === 'call' && calls.left === 0) {
        const pass = (): void => void clock.after(0, endInTime);
        const turn = turns.wait({ afterEvents: eventsBeforeDeadline(trail, 'call') });
        if (turn === undefined) pass();
        else turn.then(pass);
      }
      return step ?? {};
    },
    turn: (step) => turns.wait(step),
    dialect: () => spokenTo(stage.target, exchange, catalogue),
    stream: () => asksToStream(stage.target, exchange),
  });
  const runtime = createRuntime({
    stageCode: recordedCode(script, () => recordedMoments(trail, turns)),
    passThrough,
    reading,
    onLoss,
    models: async () => ({ ofProvider: async (provider) => (model, slug) => find?.(provider, model, slug) }),
    sendsMirrors: false,
    // Whether an answer was too old to replace a failure was decided when it was recorded.
    cache: { staleIfErrorS: Number.MAX_SAFE_INTEGER },
    plugins: [
      ...plugins.map((plugin) => withUpstream(plugin, upstream)),
      ...recorded,
      watching(plan, script, { stage, leave, endInTime }),
    ],
    ports: {
      clock,
      chance: seededChance,
      breakers:
        script.recorded === undefined ? createMemoryBreakers({ clock }) : recordedBreakers(plan.root, script.recorded),
      upstreams: { open: () => upstream, close: async () => {} },
      ...(script.limitedAt === undefined ? {} : { places: recordedPlaces(script) }),
      ...(script.recorded === undefined ? {} : { abilities: recordedAbilities(script) }),
    },
  });
  const linked = runtime.link({ plan, secrets: madeUpSecrets(plan), prompts: unreadPrompts(plan) });
  const response = await clock.settle(runtime.handle(exchange, linked));
  await clock.settle(drain(response));
  await runtime.close();
  const { status, leaf, cause } = response;
  return {
    status,
    ...(cause === undefined ? {} : { cause }),
    trail: withCopies(withRecordedErrors(exchange.trail, script.recorded), script.copies ?? []),
    ms: clock.monotonic(),
    unusedSteps: calls.left,
    ...(leaf === undefined
      ? {}
      : { leaf: { path: toOptionPath(leaf.path), provider: leaf.provider, retries: leaf.retries } }),
  };
};
