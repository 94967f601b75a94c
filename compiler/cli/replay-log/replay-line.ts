import { GatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { listCalledLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { RequestScript, UpstreamStep } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { type Side, toSide } from '../../diff/compared-plan.ts';
import { Numbers } from '../../diff/numbers.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { callLabels } from '../diff/call-labels.ts';
import { isTrail } from '../replay/from-log-line.ts';
import { readRequestFile } from '../replay/read-request-file.ts';
import { replayRequest } from '../replay/replay-request.ts';
import { decidedRoot, heldConditions, scriptFacts } from './decided-root.ts';
import type { FileLine } from './read-lines.ts';
import { withPlacesOf } from './with-places.ts';

/** The calls of a request and its status. */
export interface Route {
  /** Each attempt: its target, and the status that it had. */
  readonly calls: readonly string[];
  readonly status: number;
}

/** A line of a log, and where its request would have gone. */
export type ReplayedLine = DecidedLine | UndecidedLine | SkippedLine;

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
  /** The facts that conditions read and the log lacks. */
  readonly lacks: readonly string[];
}

/** A copy that a mirror sent, or what is no request of a log. */
interface SkippedLine {
  readonly kind: 'copy' | 'other';
  readonly line: number;
}

/** The plans that a log is replayed on, and perhaps the one that it was recorded on. */
export interface ReplayOn {
  readonly plan: RoutingPlan;
  readonly environment: Environment;
  readonly from?: RoutingPlan;
}

type Replaying = Pick<CommandServices, 'replay'>;

const toRoute = (
  trail: readonly TrailEvent[],
  status: number,
  rename: (target: string) => string = (target) => target,
): Route => ({
  calls: trail.flatMap((event) => (event.kind === 'attempted' ? [`${rename(event.target)} ${event.status}`] : [])),
  status,
});

/** How the recorded plan and the other one belong together. */
interface Mapping {
  /** The other plan: calls have the names, and nodes that do the same the places, that they have in the recorded one. */
  readonly plan: RoutingPlan;
  /** The name of a call by its target in the recorded plan. */
  readonly rename: (target: string) => string;
}

const toMapping = ({ plan, from }: ReplayOn): Mapping => {
  if (from === undefined) return { plan, rename: (target) => target };
  const numbers = new Numbers();
  const [before, after] = [toSide(from, numbers), toSide(plan, numbers)];
  const labels = callLabels(before, after);
  const namesOf = (side: Side): ReadonlyMap<number, string> =>
    new Map(listCalledLeaves(side.plan.root).map((leaf) => [leaf.target, labels(side.identify(leaf).call)]));
  const [names, newNames] = [namesOf(before), namesOf(after)];
  const byId = new Map(from.targets.map(({ id }, index) => [id, names.get(index) ?? id]));
  const targets = plan.targets.map((target, index) => ({ ...target, id: newNames.get(index) ?? target.id }));
  const root = withPlacesOf(
    { root: from.root, identify: before.identify },
    { root: plan.root, identify: after.identify },
  );
  return { plan: { ...plan, root, targets }, rename: (target) => byId.get(target) ?? target };
};

/** Whether a line was recorded on a plan: it says `name@hash`, the hash cut. */
const isOn = (label: unknown, { hash }: RoutingPlan): boolean => {
  const cut = typeof label === 'string' ? label.split('@').at(-1) : undefined;
  return cut !== undefined && cut !== '' && hash.startsWith(`sha256:${cut}`);
};

/** A step of another plan: at which place, and after which events, was a matter of the recorded one. */
const toStep = ({ path: _path, afterEvents: _events, afterCalls: _calls, ...step }: UpstreamStep): UpstreamStep => step;

/** Replays lines of a log on another plan, without sending anything. */
export class LogReplay {
  readonly #services: Replaying;
  readonly #on: ReplayOn;
  readonly #mapping: Mapping;

  constructor(services: Replaying, on: ReplayOn) {
    this.#services = services;
    this.#on = on;
    this.#mapping = toMapping(on);
  }

  /** Where the request of a line would have gone. A target that it did not call is taken to answer with 200. */
  async replay({ number: line, text }: FileLine): Promise<ReplayedLine> {
    const value = text === undefined ? undefined : parseJson(text);
    if (!isJsonObject(value) || !isTrail(value.trail)) return { kind: 'other', line };
    if (isJsonObject(value.mirrorOf) || text === undefined) return { kind: 'copy', line };
    const { trail, status: recorded, trace, plan: label } = value;
    const status = typeof recorded === 'number' ? recorded : 0;
    const about = { line, ...(typeof trace === 'string' && { trace }) };
    const file = `line ${line}`;
    const isSame = isOn(label, this.#on.plan);
    const before = toRoute(trail, status, isSame ? (target) => target : this.#mapping.rename);
    const after = isSame ? await this.#onSame(text, file) : await this.#onOther(text, file, trail);
    if ('lacks' in after) return { kind: 'undecided', ...about, before, lacks: after.lacks };
    return { kind: this.#compare(before, after), ...about, before, after };
  }

  #compare(before: Route, after: Route): 'unchanged' | 'elsewhere' | 'refused' {
    if (JSON.stringify(before) === JSON.stringify(after)) return 'unchanged';
    return after.calls.length === 0 && before.calls.length > 0 ? 'refused' : 'elsewhere';
  }

  async #onSame(text: string, file: string): Promise<Route> {
    const { plan, environment } = this.#on;
    const { trail, status } = await replayRequest(this.#services, { plan, environment, request: { text, file } });
    return toRoute(trail, status);
  }

  async #onOther(
    text: string,
    file: string,
    trail: readonly TrailEvent[],
  ): Promise<Route | { readonly lacks: readonly string[] }> {
    const { environment, from } = this.#on;
    const { plan } = this.#mapping;
    const { script, known } = readRequestFile(text, { file, plan: from ?? plan });
    const held = from === undefined ? [] : heldConditions(from.root, trail);
    const { root, open } = decidedRoot(plan.root, { facts: scriptFacts(script), known, held });
    const moved = this.#moved(script);
    try {
      const { trail: events, status } = await this.#services.replay({ ...plan, root }, moved, environment);
      const lacks = events.flatMap((event) => (event.kind === 'chose' ? (open.get(event.path) ?? []) : []));
      return lacks.length > 0 ? { lacks: [...new Set(lacks)] } : toRoute(events, status);
    } catch (error) {
      // The gateway refuses the request itself.
      if (error instanceof GatewayError) return { calls: [], status: error.report.status };
      throw error;
    }
  }

  /** The script for another plan: when its upstreams answer does not depend on the events of the recorded one. */
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

/** Throws a `UsageError` that says why nothing of a file could be replayed. */
export const refuseOther = (file: string): never => {
  throw new UsageError(
    `${file} has no request of a log.`,
    'Name the output of a gateway with GW_LOG=requests, or the records of gw logs export, one JSON object a line.',
  );
};
