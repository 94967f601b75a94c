import { mirrorLabel } from '../../../plugins/sdk/exchange/identified-metadata.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { LogReplayed, ReplayedWay } from '../../../schema/forecast/log-replay.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { isPlanLabel } from '../../../schema/plan/hash-plan.ts';
import { listCalledLeaves, listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { RequestScript, UpstreamStep } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { type Side, toSide } from '../../compare/compared-plan.ts';
import { Numbers } from '../../compare/numbers.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { callLabels } from '../diff/call-labels.ts';
import { decidedRoot, heldConditions, scriptFacts } from './decided-root.ts';
import { isTrail } from './from-log-line.ts';
import type { FileLine } from './read-lines.ts';
import { readRequestFile } from './read-request-file.ts';
import { type RunScript, replayRequest } from './replay-request.ts';
import { withRecordedPlaces } from './with-places.ts';

/** The calls of a request and its status. */
export interface Route {
  /** Each attempt: its target, and the status of its answer. */
  readonly calls: readonly string[];
  readonly status: number;
}

/** A line of a log, and where its request would have gone. */
export type ReplayedLine = DecidedLine | UndecidedLine | SkippedLine | UnreadableLine;

interface LineOfRequest {
  readonly line: number;
  readonly trace?: string;
  readonly before: Route;
}

interface DecidedLine extends LineOfRequest {
  readonly kind: 'unchanged' | 'elsewhere' | 'refused';
  readonly after: Route;
}

interface UndecidedLine extends LineOfRequest {
  readonly kind: 'undecided';
  /** The facts that conditions read but the log lacks. */
  readonly lacks: readonly string[];
}

/** A copy that a mirror sent, or a line that is not a request. */
interface SkippedLine {
  readonly kind: 'copy' | 'other';
  readonly line: number;
}

/** A line of a log whose contents no request can have. */
interface UnreadableLine {
  readonly kind: 'unreadable';
  readonly line: number;
  /** The mistake, in one sentence with the number of the line. */
  readonly why: string;
}

/** The plan that a log is replayed on, and optionally the one that it was recorded on. */
export interface ReplayOn {
  readonly plan: RoutingPlan;
  readonly from?: RoutingPlan;
}

/** A request of a log, with the calls, the status and the decisions that it had and would have had. */
export interface ReplayedRecord {
  readonly trace?: string;
  readonly kind: LogReplayed['kind'];
  /** Calls have the same names in `before` and `after`. */
  readonly before: Route;
  /** For an undecided request: as if no unknown condition were true. */
  readonly after: Route;
  readonly lacks: readonly string[];
  readonly ways: Pick<LogReplayed, 'before' | 'after'>;
}

const toRoute = (
  trail: readonly TrailEvent[],
  status: number,
  rename: (target: string) => string = (target) => target,
): Route => ({
  calls: trail.flatMap((event) => (event.kind === 'attempted' ? [`${rename(event.target)} ${event.status}`] : [])),
  status,
});

/** How the recorded plan corresponds to the other plan. */
interface Mapping {
  /** The other plan, with the recorded plan's names for its calls and places for nodes that do the same. */
  readonly plan: RoutingPlan;
  /** Returns the name of a call by its target in the recorded plan. */
  readonly rename: (target: string) => string;
  /** Returns an event of the other plan with that plan's own target and place. */
  readonly restore: (event: TrailEvent) => TrailEvent;
}

const unmapped = (plan: RoutingPlan): Mapping => ({
  plan,
  rename: (target) => target,
  restore: (event) => event,
});

const toMapping = ({ plan, from }: ReplayOn): Mapping => {
  if (from === undefined) return unmapped(plan);
  const numbers = new Numbers();
  const [before, after] = [toSide(from, numbers), toSide(plan, numbers)];
  const labels = callLabels(before, after);
  const namesOf = (side: Side): ReadonlyMap<number, string> =>
    new Map(listCalledLeaves(side.plan.root).map((leaf) => [leaf.target, labels(side.identify(leaf).call)]));
  const [names, newNames] = [namesOf(before), namesOf(after)];
  const byId = new Map(from.targets.map(({ id }, index) => [id, names.get(index) ?? id]));
  const targets = plan.targets.map((target, index) => ({ ...target, id: newNames.get(index) ?? target.id }));
  const { root, placeOf } = withRecordedPlaces(
    { root: from.root, identify: before.identify },
    { root: plan.root, identify: after.identify },
  );
  const ids = new Map(listLeaves(plan.root).map((leaf) => [leaf.path, plan.targets[leaf.target]?.id]));
  const restore = (event: TrailEvent): TrailEvent => {
    if (!('path' in event)) return event;
    const path: JsonPointer = placeOf(event.path);
    return 'target' in event ? { ...event, path, target: ids.get(path) ?? event.target } : { ...event, path };
  };
  return { plan: { ...plan, root, targets }, rename: (target) => byId.get(target) ?? target, restore };
};

/** Whether it is a copy that a mirror sent: a line of the gateway's output has `mirrorOf`, a record of its log has a label. */
const isCopy = ({ mirrorOf, metadata }: JsonObject): boolean =>
  isJsonObject(mirrorOf) || (isJsonObject(metadata) && metadata[mirrorLabel] !== undefined);

/** Drops from a step the place and the order of events, which depend on the recorded plan. */
const toStep = ({ path: _path, afterEvents: _events, afterCalls: _calls, ...step }: UpstreamStep): UpstreamStep => step;

interface Outcome {
  readonly route: Route;
  readonly way: ReplayedWay;
  readonly lacks: readonly string[];
}

const compare = (before: Route, { route: after, lacks }: Outcome): LogReplayed['kind'] => {
  if (lacks.length > 0) return 'undecided';
  if (JSON.stringify(before) === JSON.stringify(after)) return 'unchanged';
  return after.calls.length === 0 && before.calls.length > 0 ? 'refused' : 'elsewhere';
};

/** Replays lines of a log on another plan, without sending anything. */
export class LogReplay {
  readonly #run: RunScript;
  readonly #on: ReplayOn;
  readonly #mapping: Mapping;

  constructor(run: RunScript, on: ReplayOn) {
    this.#run = run;
    this.#on = on;
    this.#mapping = toMapping(on);
  }

  /** Returns where the request of a line would have gone. A target that it did not call is assumed to answer with 200. */
  async replay({ number: line, text }: FileLine): Promise<ReplayedLine> {
    if (text === undefined) return { kind: 'other', line };
    try {
      return await this.#line(line, text);
    } catch (error) {
      // The other lines are not affected.
      if (error instanceof UsageError) return { kind: 'unreadable', line, why: error.message };
      throw error;
    }
  }

  async #line(line: number, text: string): Promise<ReplayedLine> {
    const replayed = await this.record(text, `line ${line}`);
    if (typeof replayed === 'string') return { kind: replayed, line };
    const { trace, kind, before, after, lacks } = replayed;
    const about = { line, ...(trace === undefined ? {} : { trace }) };
    return kind === 'undecided' ? { kind, ...about, before, lacks } : { kind, ...about, before, after };
  }

  /**
   * Does the same for one record, with the decisions on both plans; `copy` or `other` if it is not a request of a client. `file`
   * is named in errors about what cannot be read.
   */
  async record(text: string, file: string): Promise<ReplayedRecord | SkippedLine['kind']> {
    const value = parseJson(text);
    if (!isJsonObject(value) || !isTrail(value.trail)) return 'other';
    if (isCopy(value)) return 'copy';
    const { trail, status: recorded, trace, plan: label, cause } = value;
    const status = typeof recorded === 'number' ? recorded : 0;
    const isSame = typeof label === 'string' && isPlanLabel(label, this.#on.plan);
    const before = toRoute(trail, status, isSame ? (target) => target : this.#mapping.rename);
    const outcome = isSame ? await this.#onSame(text, file) : await this.#onOther(text, file, trail);
    const { route: after, way, lacks } = outcome;
    return {
      ...(typeof trace === 'string' && { trace }),
      kind: compare(before, outcome),
      ...{ before, after, lacks },
      ways: { before: { status, ...(typeof cause === 'string' && { cause }), trail }, after: way },
    };
  }

  async #onSame(text: string, file: string): Promise<Outcome> {
    const { plan } = this.#on;
    const { trail, status, cause } = await replayRequest(this.#run, { plan, request: { text, file } });
    return { route: toRoute(trail, status), way: { status, ...(cause && { cause }), trail }, lacks: [] };
  }

  async #onOther(text: string, file: string, trail: readonly TrailEvent[]): Promise<Outcome> {
    const { from } = this.#on;
    const { plan, restore } = this.#mapping;
    const { script, known } = readRequestFile(text, { file, plan: from ?? plan });
    const held = from === undefined ? [] : heldConditions(from.root, trail);
    const { root, open } = decidedRoot(plan.root, { facts: scriptFacts(script), known, held });
    const moved = this.#moved(script);
    try {
      const { trail: events, status, cause } = await this.#run({ ...plan, root }, moved);
      const isOpen = (event: TrailEvent): boolean => event.kind === 'chose' && open.has(event.path);
      const lacks = events.flatMap((event) => (event.kind === 'chose' ? (open.get(event.path) ?? []) : []));
      const way =
        lacks.length > 0
          ? { status: null, trail: events.slice(0, events.findIndex(isOpen)).map(restore) }
          : { status, ...(cause && { cause }), trail: events.map(restore) };
      return { route: toRoute(events, status), way, lacks: [...new Set(lacks)] };
    } catch (error) {
      // The gateway itself refuses the request.
      if (!(error instanceof GatewayError)) throw error;
      const { status, code: cause } = error.report;
      return { route: { calls: [], status }, way: { status, cause, trail: [] }, lacks: [] };
    }
  }

  /** Adapts a script to another plan, by making the answers of its upstreams independent of the events of the recorded plan. */
  #moved({ recorded = [], copies: _copies, ...script }: RequestScript): RequestScript {
    const { rename } = this.#mapping;
    const isHedged = recorded.some(({ kind }) => kind === 'hedged' || kind === 'hedgeEnded');
    const upstream = script.upstream.map((step) => ({
      ...toStep(step),
      ...(step.target !== undefined && { target: rename(step.target) }),
    }));
    return { ...script, upstream, ...(!isHedged && { recorded }) };
  }
}

/** Throws a `UsageError` with the reason why nothing of a file could be replayed. */
export const refuseOther = (file: string, unreadable: number): never => {
  throw new UsageError(
    `${file === '-' ? 'The standard input' : file} has no request of a log${unreadable === 0 ? '' : ' that can be read'}.`,
    'Name the output of a gateway with GW_LOG=requests, or the records of gw logs export, one JSON object a line.',
  );
};
