import type { Clock } from '../../../../sdk/clock.ts';
import { StoreError } from '../store.ts';
import { isBegin, isCommit, type SharedQuestion } from './shared-question.ts';
import type { Question, SqliteThread, StatementResult } from './sqlite-thread.ts';

export interface SharedFileOptions {
  /** Starts the thread of the file, with the first question. */
  readonly start: () => SqliteThread;
  /** For people. */
  readonly where: string;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** Milliseconds that a transaction may be silent, that it may last, and that others wait for their turn. */
  readonly bounds?: TransactionBounds;
}

export interface TransactionBounds {
  readonly silentMs: number;
  readonly wholeMs: number;
  readonly waitMs: number;
}

const defaultBounds: TransactionBounds = { silentMs: 5000, wholeMs: 30_000, waitMs: 15_000 };

/** The process that writes now. */
interface Turn {
  readonly asker: number;
  readonly transaction: number | undefined;
  readonly until: number;
  /** Statements that run. */
  running: number;
  stopTimer: () => void;
  /** It is being undone, and takes no more statements. */
  undoing: Promise<void> | undefined;
}

interface Waiting {
  readonly asker: number;
  readonly transaction: number | undefined;
  readonly begin: () => void;
  readonly give: (error: Error) => void;
}

/**
 * A file of SQLite whose one connection that writes several processes use: in turns, each for a whole transaction or job. A
 * process that ends in its transaction, or says nothing more in it, does not keep the others waiting: it is undone.
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

  /** Rejects with what the thread reports, or with a `StoreError` where the transaction is over or its turn does not come. */
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

  /** A process has ended: what it has begun is undone. */
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
      reject(new StoreError(`The store ${where} is being written by another worker for too long. Try again.`));
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

  /** The thread answers in order: what runs has ended before that. */
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

  /** Undoes a transaction that is silent, or lasts too long. */
  #watch(turn: Turn): void {
    const { clock, bounds } = this.#options;
    if (this.#turn !== turn || turn.running > 0 || turn.undoing !== undefined) return;
    const ms = Math.min(bounds.silentMs, turn.until - clock.monotonic());
    turn.stopTimer = clock.after(Math.max(0, ms), () => void this.#undo(turn));
  }

  #over(): StoreError {
    return new StoreError(
      `A transaction of the store ${this.#options.where} took too long, and was undone. Try again.`,
    );
  }
}
