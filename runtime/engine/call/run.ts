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
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { NamedItems, SharedNamedItems } from '../../ports/named-items.ts';
import { VerdictMemo } from '../guardrail-verdicts/verdict-memo.ts';
import type { TargetResolver } from '../target/linked-target.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { Translation } from '../target/translation.ts';
import type { LimitedRun } from './limited-run.ts';
import type { Continuation, TakeOver } from './stream-source.ts';

/** The end of a run: its client disconnects, its time is over, or another branch has the answer. */
export interface RunDeadline extends Cancellation {
  /** Milliseconds until it passes, or 0 if it has. */
  readonly leftMs: number;
}

/** The call that an attempt belongs to. */
export interface CostedCall {
  readonly exchange: Exchange;
  /** The provider's name in public price lists. */
  readonly listedAs: string;
}

/** The cost reserved for an attempt. Either of these methods ends it; later calls have no effect. */
export interface HeldCost extends Reservation {
  /** Like `settle`, if nothing else needs the usage of the attempt: it is read only when the limit depends on it. */
  settleLater(read: () => UsageRecord): void;
}

/** The cost of a run that has a limit. */
export interface RunCosts {
  /**
   * Called before an attempt is sent. Throws, or rejects with, the leaf's `GatewayError` if the attempt may cost too much, or its
   * cost is unknown.
   */
  reserve(attempt: LimitedAttempt, call: CostedCall): MaybePromise<HeldCost>;
}

/** The state shared by the branches of a request that run at the same time. */
export interface Hedging {
  /** Whether a second branch runs beside the first. */
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
  /** The client's dialect. Absent on a path that belongs to none. */
  readonly dialect: Dialect | undefined;
  /** The counts of a limiter. Absent if nothing is counted. */
  readonly limited: LimitedRun | undefined;
  /** The items that earlier answers named. Absent if nothing is remembered. */
  readonly namedItems: NamedItems | SharedNamedItems | undefined;
  /** Absent if it may cost anything. */
  costs: RunCosts | undefined;
  /** Absent if it may take any time. */
  deadline: RunDeadline | undefined;
  /** Absent if no stream may continue elsewhere. */
  takeOver: TakeOver | undefined;
  /** The continuation of a broken stream, while another leaf is called to continue it. */
  continuation: Continuation | undefined;
  /** The needs of its request, as its client sent it. Undefined until first read. */
  needs: RequestNeeds | undefined;
  /** The request as read from its bytes. Undefined if it is not plain or was parsed, null until first read. */
  plainBytes: PlainBytes | undefined | null = null;
  /** How many bytes of bodies were parsed again for leaves that change what the request needs. */
  bytesReadAnew = 0;
  /** The targets of leaves as the request would be sent there, by the leaves' paths. Filled on demand. */
  asked: Map<JsonPointer, ResolvedTarget> | undefined;
  /** The needs that leaves cannot meet, by their paths. Filled on demand. */
  lacks: Map<JsonPointer, readonly Lack[]> | undefined;
  /** Absent until it reaches a fallback with a hedge. */
  hedging: Hedging | undefined;
  /** The calls of leaves by their paths, if the request may be copied. Otherwise absent. */
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

  /** Returns the same run for one of two branches that run at the same time. It also ends by itself. */
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

  /** Cancelled when the client disconnects or the deadline passes. */
  get cancellation(): Cancellation {
    return this.deadline ?? this.exchange.cancellation;
  }

  /** Whether its deadline has ended it. */
  get isPastDeadline(): boolean {
    return this.cancellation.cause?.code === 'deadline-exceeded';
  }

  /** Whether another branch that ran at the same time has the answer. */
  get isCut(): boolean {
    const { cancelled, cause } = this.cancellation;
    return cancelled && cause === undefined && !this.exchange.cancellation.cancelled;
  }

  /**
   * Whether nothing more may be sent: the client disconnected, the deadline passed, or the body was a stream that has been read.
   */
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

  /**
   * Returns a leaf's availability. It is read once, so that a circuit that changes during the run does not change its choices.
   */
  availability(leaf: JsonPointer, look: (run: Run) => boolean): boolean {
    this.#availability ??= new Map();
    const seen = this.#availability.get(leaf);
    if (seen !== undefined) return seen;
    const available = look(this);
    this.#availability.set(leaf, available);
    return available;
  }
}

/** A plain request as read from its bytes. */
export interface PlainBytes {
  /** The members of its body that determine what it needs. */
  readonly body: JsonObject;
  /** Whether it has functions beside its turns. */
  readonly hasFunctions: boolean;
}

/** A target as a request would be sent there. */
export interface ResolvedTarget {
  readonly dialect: Dialect;
  readonly target: PreparedTarget;
  readonly model: string | undefined;
  readonly translation: Translation | Promise<Translation>;
}

/** A leaf that a run can reach. */
export interface ReachedLeaf {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly resolve: TargetResolver;
  /** The target's changes to the request. Undefined if there are none. */
  readonly edits: JsonObject | undefined;
  /** The stored prompt that it sends in place of the client's body. Undefined if it sends that. */
  readonly prompt: StoredPrompt | undefined;
}

/** Knows what targets cannot do. */
export interface Abilities {
  /** Settles once `lacks` can be called with these leaves for a run. Undefined if it can be called now. Never rejects. */
  ready(run: Run, leaves: readonly ReachedLeaf[]): Promise<void> | undefined;
  /**
   * Lists what the request needs and the leaf is known to lack. The result is the same throughout the run. Unknown abilities
   * count as present.
   */
  lacks(run: Run, leaf: ReachedLeaf): readonly Lack[];
}
