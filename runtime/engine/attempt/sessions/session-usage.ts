import type { Reservation } from '../../../../plugins/sdk/control-plane/limiter.ts';
import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { summedUsage } from '../../../../schema/conversation/summed-usage.ts';
import { joinedRecord, type UsageRecord, unusedRecord } from '../../../../schema/usage/usage-record.ts';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { Turn } from '../../attempt-usage/attempt-usage.ts';

export interface SessionUsageOptions {
  /** The requested model. */
  readonly model: string;
  /** The reservation for the first turn. Absent if nothing is limited or counted. */
  readonly held: Reservation | undefined;
  /** Reserves for the next turn. Throws, or rejects with, the error of the limit that is reached. */
  readonly reserve: () => MaybePromise<Reservation | undefined>;
  readonly price: (turn: Turn) => UsageRecord;
  /** Called with the error if nothing can be reserved for the next turn. */
  readonly onRefused: (error: unknown) => void;
}

const joined = (before: UsageRecord['kind'], next: UsageRecord['kind']): UsageRecord['kind'] =>
  before === next ? before : 'partial';

/** The sum of some turns. */
class TurnSum {
  #counts: Usage | undefined;
  #record: UsageRecord | undefined;

  add({ usage: { missing: _, ...counts } }: Turn, record: UsageRecord): void {
    this.#counts = this.#counts === undefined ? counts : summedUsage([this.#counts, counts]);
    const before = this.#record;
    this.#record =
      before === undefined
        ? record
        : joinedRecord([before, record], {
            counts: this.#counts,
            kind: joined(before.kind, record.kind),
            model: before.model,
          });
  }

  /** Undefined for no turns. */
  get record(): UsageRecord | undefined {
    return this.#record;
  }
}

/**
 * Counts what a session uses, as each of its turns ends. A turn keeps its reservation until there is one for the next, so that
 * whatever a model does is covered by one. When the turn is settled, the limits are asked again whether they allow another one.
 * A refusal ends the session.
 */
export class SessionUsage {
  readonly #options: SessionUsageOptions;
  readonly #all = new TurnSum();
  #held: Reservation | undefined;
  /** The turns that `#held` covers. */
  #covered = new TurnSum();
  #isFirst = true;
  #state: 'open' | 'reserving' | 'refused' | 'over' = 'open';

  constructor(options: SessionUsageOptions) {
    this.#options = options;
    this.#held = options.held;
  }

  /** Called when a turn ends. */
  add(turn: Turn): void {
    const record = this.#options.price(turn);
    this.#all.add(turn, record);
    this.#covered.add(turn, record);
    if (this.#held !== undefined && this.#state === 'open') this.#reserve();
  }

  /** Called once, when the session has ended. Returns the usage of all of it. */
  end(): UsageRecord {
    this.#state = 'over';
    this.#settle();
    return this.#all.record ?? unusedRecord(this.#options.model);
  }

  #reserve(): void {
    this.#state = 'reserving';
    this.#ask((next) => {
      this.#settle();
      this.#held = next;
      this.#covered = new TurnSum();
      this.#ask((further) => {
        further?.release();
        this.#state = 'open';
        // A turn has ended meanwhile.
        if (this.#covered.record !== undefined) this.#reserve();
      });
    });
  }

  /** Asks for a reservation. One that comes after the end is returned. */
  #ask(use: (reservation: Reservation | undefined) => void): void {
    const granted = (reservation: Reservation | undefined): void => {
      if (this.#state === 'over') reservation?.release();
      else use(reservation);
    };
    try {
      const asked = this.#options.reserve();
      if (asked instanceof Promise) asked.then(granted, (error: unknown) => this.#refused(error));
      else granted(asked);
    } catch (error) {
      // What arrived together with the end of the turn is read first.
      queueMicrotask(() => this.#refused(error));
    }
  }

  #refused(error: unknown): void {
    if (this.#state === 'over') return;
    this.#state = 'refused';
    this.#options.onRefused(error);
  }

  /** Ends the reservation. The first one counts the session, even if no model has answered in it. */
  #settle(): void {
    const { record } = this.#covered;
    const held = this.#held;
    this.#held = undefined;
    if (record !== undefined) held?.settle(record);
    else if (this.#isFirst) held?.settle(unusedRecord(this.#options.model));
    else held?.release();
    this.#isFirst = false;
  }
}
