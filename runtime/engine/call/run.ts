import type { LimitedAttempt, Reservation } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { StoredPrompt } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Lack } from '../../../schema/model-facts/lack.ts';
import type { RequestNeeds } from '../../../schema/model-facts/request-needs.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Soon } from '../../async/soon.ts';
import type { NamedItems, SharedNamedItems } from '../../ports/named-items.ts';
import type { TargetResolver } from '../target/linked-target.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { Translation } from '../target/translation.ts';
import { VerdictMemo } from '../verdicts/verdict-memo.ts';
import type { LimitedRun } from './limited-run.ts';
import type { Continuation, TakeOver } from './stream-source.ts';

/** The end of a run: its client leaves, a time has come, or another branch has the answer. */
export interface RunDeadline extends Cancellation {
  /** Milliseconds until it passes; 0 if it has. */
  readonly leftMs: number;
}

/** The call that an attempt is of. */
export interface CostedCall {
  readonly exchange: Exchange;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
}

/** The cost that an attempt may have. Either of these ends it, once: what is called later is without effect. */
export interface HeldCost extends Reservation {
  /** As `settle`, where nothing else wants to know what the attempt used: it is read when the bound depends on it. */
  settleLater(read: () => UsageRecord): void;
}

/** The cost of a run, which has a bound. */
export interface RunCosts {
  /**
   * Before an attempt is sent. Throws, or rejects with, the `GatewayError` of the leaf if it may cost too much, or nobody
   * knows what it costs.
   */
  reserve(attempt: LimitedAttempt, call: CostedCall): Soon<HeldCost>;
}

/** The state that the branches of a request share which run at the same time. */
export interface Hedging {
  /** Whether a second branch runs beside a first. */
  isRunning: boolean;
  /** The probes of circuits that are running. */
  probes: number;
}

/** The request as a leaf sends it, after its prompt and its checks. */
export interface SentCall {
  readonly exchange: Exchange;
}

/** One request running through one plan. */
export class Run {
  readonly exchange: Exchange;
  /** The client's; absent on a path that belongs to no dialect. */
  readonly dialect: Dialect | undefined;
  /** The counts of a limiter; absent if nothing is. */
  readonly limited: LimitedRun | undefined;
  /** The items that earlier answers named; absent if nothing is remembered. */
  readonly namedItems: NamedItems | SharedNamedItems | undefined;
  /** Absent if it may cost anything. */
  costs: RunCosts | undefined;
  /** Absent if it may take any time. */
  deadline: RunDeadline | undefined;
  /** Absent if no stream may go on elsewhere. */
  takeOver: TakeOver | undefined;
  /** Of a stream that broke, while another leaf is asked to go on with it. */
  continuation: Continuation | undefined;
  /** The needs of its request, as its client sent it; undefined until something has asked. */
  needs: RequestNeeds | undefined;
  /** The request as its bytes say it; undefined for one that is not plain or was parsed, null until something has asked. */
  plainBytes: PlainBytes | undefined | null = null;
  /** The bytes of bodies that were read anew to know what leaves need that change them. */
  bytesReadAnew = 0;
  /** The targets of leaves as the request would be sent there, by the leaves' paths, as far as something has asked. */
  asked: Map<JsonPointer, AskedTarget> | undefined;
  /** The needs that leaves cannot meet, by their paths, as far as something has asked. */
  lacks: Map<JsonPointer, readonly Lack[]> | undefined;
  /** Absent until it comes to a fallback with a hedge. */
  hedging: Hedging | undefined;
  /** The calls of leaves by their places, where the request may be copied; absent where it is not. */
  calls: Map<JsonPointer, SentCall> | undefined;
  /** The availability of each leaf when it was first read. */
  #availability: Map<JsonPointer, boolean> | undefined;
  #verdicts: VerdictMemo | undefined;

  constructor(exchange: Exchange, dialect: Dialect | undefined, limited?: LimitedRun, namedItems?: Run['namedItems']) {
    this.exchange = exchange;
    this.dialect = dialect;
    this.limited = limited;
    this.namedItems = namedItems;
  }

  /** The same run in one of two branches that run at the same time, which ends by itself too. */
  branch(end: RunDeadline): Run {
    const { exchange, dialect, limited, namedItems, costs, hedging, verdicts } = this;
    this.#availability ??= new Map();
    const branch = new Run(exchange, dialect, limited, namedItems);
    branch.costs = costs;
    branch.takeOver = this.takeOver;
    branch.continuation = this.continuation;
    branch.deadline = end;
    branch.hedging = hedging;
    branch.needs = this.needs;
    branch.plainBytes = this.plainBytes;
    branch.asked = this.asked;
    branch.lacks = this.lacks;
    branch.calls = this.calls;
    branch.#availability = this.#availability;
    branch.#verdicts = verdicts;
    return branch;
  }

  /** Cancelled when the client leaves, or when the deadline passes. */
  get cancellation(): Cancellation {
    return this.deadline ?? this.exchange.cancellation;
  }

  /** Whether its deadline has ended it. */
  get isPastDeadline(): boolean {
    return this.cancellation.cause?.code === 'deadline-exceeded';
  }

  /** Whether another branch, which ran at the same time, has the answer. */
  get isCut(): boolean {
    const { cancelled, cause } = this.cancellation;
    return cancelled && cause === undefined && !this.exchange.cancellation.cancelled;
  }

  /** Whether nothing more may be sent: the client left, the deadline passed, or the body was a stream that has been read. */
  get ended(): boolean {
    const { request } = this.exchange;
    if (this.cancellation.cancelled) return true;
    return request.body.kind === 'stream' && (request.body.stream.readableDidRead || request.body.stream.destroyed);
  }

  /** The results of checks for the request so far. */
  get verdicts(): VerdictMemo {
    this.#verdicts ??= new VerdictMemo();
    return this.#verdicts;
  }

  /** Whether the deadline leaves time for an attempt after a wait. */
  hasTimeAfter(waitMs: number): boolean {
    return this.deadline === undefined || waitMs < this.deadline.leftMs;
  }

  /** A leaf's availability, read once: a circuit that changes during the run does not change its choices. */
  availability(leaf: JsonPointer, look: (run: Run) => boolean): boolean {
    this.#availability ??= new Map();
    const seen = this.#availability.get(leaf);
    if (seen !== undefined) return seen;
    const available = look(this);
    this.#availability.set(leaf, available);
    return available;
  }
}

/** A plain request as its bytes say it. */
export interface PlainBytes {
  /** The members of its body that say what it needs. */
  readonly body: JsonObject;
  /** Whether it has functions beside its turns. */
  readonly hasFunctions: boolean;
}

/** A target as a request would be sent there. */
export interface AskedTarget {
  readonly dialect: Dialect;
  readonly target: PreparedTarget;
  readonly model: string | undefined;
  readonly translation: Translation | Promise<Translation>;
}

/** A leaf that a run can come to. */
export interface ReachedLeaf {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly resolve: TargetResolver;
  /** The changes of its target to the request; undefined if there are none. */
  readonly edits: JsonObject | undefined;
  /** The stored prompt that it sends in place of the client's body; undefined if it sends that. */
  readonly prompt: StoredPrompt | undefined;
}

/** Knows what targets cannot do. */
export interface Abilities {
  /** Settles when `lacks` can be asked of these leaves for a run; undefined if it can now. Never rejects. */
  ready(run: Run, leaves: readonly ReachedLeaf[]): Promise<void> | undefined;
  /** Lists what the request needs and the leaf is known to lack; the same all through the run. What is not known counts as there. */
  lacks(run: Run, leaf: ReachedLeaf): readonly Lack[];
}
