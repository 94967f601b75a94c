import type { Clock } from '../../../../sdk/clock.ts';
import { StoreError } from '../store.ts';
import { isBegin, isCommit, type SharedQuestion } from './shared-question.ts';
import type { Question, SqliteThread, StatementResult } from './sqlite-thread.ts';

export interface SharedFileOptions {
  /** Starts the thread of the file, when the first question arrives. */
  readonly start: () => SqliteThread;
  /** The location shown to people. */
  readonly where: string;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** How long a transaction may be idle, how long it may last, and how long others wait for their turn, in milliseconds. */
  readonly bounds?: TransactionBounds;
}

export interface TransactionBounds {
  readonly silentMs: number;
  readonly wholeMs: number;
  readonly waitMs: number;
}

const defaultBounds: TransactionBounds = { silentMs: 5000, wholeMs: 30_000, waitMs: 15_000 };

/** The process that is currently writing. */
interface Turn {
  readonly asker: number;
  readonly transaction: number | undefined;
  readonly until: number;
  /** The number of running statements. */
  running: number;
  stopTimer: () => void;
  /** Set while it is being rolled back; it accepts no more statements. */
  undoing: Promise<void> | undefined;
}

interface Waiting {
  readonly asker: number;
  readonly transaction: number | undefined;
  readonly begin: () => void;
  readonly give: (error: Error) => void;
}

/**
 * A SQLite file whose only writing connection several processes share. They take turns, each for a whole transaction or job. If a
 * process ends during its transaction, or is silent in it for too long, the transaction is rolled back so that the others do not
 * wait.
 */
export class SharedFile {
  readonly #options: Required<SharedFileOptions>;
  #started: SqliteThread | undefined;
  #opened: Promise<unknown> | undefined;
  #turn: Turn | undefined;
  #waiting: readonly Waiting[] = [];

  constructor(options: SharedFileOptions) {
    this.#options = { bounds: defaultBounds, ...options };
  }

  /** Rejects with the thread's error, or with a `StoreError` if the transaction is over or its turn does not come. */
  async ask(asker: number, { question, transaction }: SharedQuestion): Promise<StatementResult | undefined> {
    const thread = this.#thread();
    if (question.kind === 'open') return this.#open(question);
    if (question.kind === 'close') return undefined;
    if (question.kind === 'copy' || (question.kind !== 'perform' && question.on === 'reader'))
      return thread.ask(question);
    if (question.kind === 'rollback') return this.#rollBack(asker, transaction);
    if (transaction === undefined || isBegin(question)) await this.#takeTurn(asker, transaction);
    const turn = this.#turn;
    if (turn !== undefined && this.#options.clock.monotonic() > turn.until) void this.#undo(turn);
    if (turn?.asker !== asker || turn.transaction !== transaction || turn.undoing !== undefined) throw this.#over();
    turn.stopTimer();
    turn.running += 1;
    let isOver = transaction === undefined;
    try {
      const result = await thread.ask(question);
      isOver ||= isCommit(question);
      return result;
    } catch (error) {
      isOver ||= isBegin(question);
      throw error;
    } finally {
      turn.running -= 1;
      if (isOver) this.#endTurn(turn);
      else this.#watch(turn);
    }
  }

  /** Handles the end of a process: its open transaction is rolled back. */
  leave(asker: number): void {
    const gone = this.#waiting.filter((each) => each.asker === asker);
    this.#waiting = this.#waiting.filter((each) => each.asker !== asker);
    for (const { give } of gone) give(this.#over());
    if (this.#turn?.asker === asker && this.#turn.transaction !== undefined) this.#undo(this.#turn);
  }

  /** Closes the file. */
  async end(): Promise<void> {
    await this.#started?.end();
  }

  #thread(): SqliteThread {
    this.#started ??= this.#options.start();
    return this.#started;
  }

  #open(question: Question): Promise<undefined> {
    this.#opened ??= this.#thread()
      .ask(question)
      .catch((error: unknown) => {
        this.#opened = undefined;
        throw error;
      });
    return this.#opened.then(() => undefined);
  }

  #takeTurn(asker: number, transaction: number | undefined): Promise<void> {
    const { clock, bounds, where } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      stop();
      const until = clock.monotonic() + bounds.wholeMs;
      this.#turn = { asker, transaction, until, running: 0, stopTimer: () => {}, undoing: undefined };
      resolve();
    };
    const waiting: Waiting = {
      ...{ asker, transaction, begin },
      give: (error) => {
        stop();
        reject(error);
      },
    };
    const stop = clock.after(bounds.waitMs, () => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      reject(new StoreError(`Another worker has been writing to the store ${where} for too long. Try again.`));
    });
    if (this.#turn === undefined) begin();
    else this.#waiting = [...this.#waiting, waiting];
    return promise;
  }

  async #rollBack(asker: number, transaction: number | undefined): Promise<undefined> {
    const isOf = (each: Pick<Waiting, 'asker' | 'transaction'>): boolean =>
      each.asker === asker && each.transaction === transaction;
    for (const each of this.#waiting.filter(isOf)) each.give(this.#over());
    this.#waiting = this.#waiting.filter((each) => !isOf(each));
    if (this.#turn !== undefined && transaction !== undefined && isOf(this.#turn)) await this.#undo(this.#turn);
    return undefined;
  }

  /** The thread answers in order, so running statements have ended before the rollback. */
  #undo(turn: Turn): Promise<void> {
    turn.stopTimer();
    turn.undoing ??= this.#thread()
      .ask({ kind: 'rollback', on: 'writer' })
      .catch(() => {})
      .then(() => this.#endTurn(turn));
    return turn.undoing;
  }

  #endTurn(turn: Turn): void {
    turn.stopTimer();
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    const [next, ...others] = this.#waiting;
    this.#waiting = others;
    next?.begin();
  }

  /** Rolls back a transaction that is silent, or lasts too long. */
  #watch(turn: Turn): void {
    const { clock, bounds } = this.#options;
    if (this.#turn !== turn || turn.running > 0 || turn.undoing !== undefined) return;
    const ms = Math.min(bounds.silentMs, turn.until - clock.monotonic());
    turn.stopTimer = clock.after(Math.max(0, ms), () => void this.#undo(turn));
  }

  #over(): StoreError {
    return new StoreError(
      `A transaction of the store ${this.#options.where} took too long and was rolled back. Try again.`,
    );
  }
}
