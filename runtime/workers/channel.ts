import { within } from '../../plugins/sdk/time/within.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { Clock } from '../ports/clock.ts';

/** The calls that one side answers: functions with one argument. Arguments and results must be clonable. */
export type Calls<Of> = { readonly [Name in keyof Of]: (argument: never) => unknown };

/** Implementations of calls, which may answer later. */
export type Answering<Of extends Calls<Of>> = {
  readonly [Name in keyof Of]: (
    argument: Parameters<Of[Name]>[0],
  ) => ReturnType<Of[Name]> | Promise<ReturnType<Of[Name]>>;
};

/** One call, or the result of one. A call without an id needs no answer. */
export type Frame =
  | { readonly call: string; readonly argument: unknown; readonly id?: number }
  | { readonly answer: number; readonly value?: unknown; readonly error?: string };

export interface ChannelOptions {
  /** Sends frames to the other side, and calls back when the system has accepted them, or they are lost. */
  readonly send: (frames: readonly Frame[], sent: () => void) => void;
  readonly clock: Pick<Clock, 'after'>;
}

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const ended = (): Error => new Error('The other process has ended.');

/**
 * Calls between two processes, in order. All calls in one turn of the event loop are sent together.
 * @typeParam Theirs what the other side answers
 * @typeParam Mine what this side answers
 */
export class Channel<Theirs extends Calls<Theirs>, Mine extends Calls<Mine>> {
  readonly #options: ChannelOptions;
  readonly #asked = new Map<number, Asked>();
  #calls: Answering<Mine> | undefined;
  /** Calls that came before anything could answer them. */
  #early: Frame[] = [];
  #waiting: Frame[] = [];
  #isDue = false;
  #lastId = 0;
  #isClosed = false;
  #unsent = 0;
  #whenSent: (() => void)[] = [];

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Answers the calls of the other side from now on, starting with those that came before. */
  answer(calls: Answering<Mine>): void {
    this.#calls = calls;
    const frames = this.#early;
    this.#early = [];
    this.receive(frames);
  }

  /** Makes a call without waiting for anything. */
  notify<Name extends keyof Theirs & string>(call: Name, argument: Parameters<Theirs[Name]>[0]): void {
    this.#add({ call, argument });
  }

  /** Rejects if the other side ends, is silent for `ms` milliseconds, or throws. */
  async ask<Name extends keyof Theirs & string>(
    call: Name,
    argument: Parameters<Theirs[Name]>[0],
    ms: number,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    if (this.#isClosed) throw ended();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#asked.set(id, { resolve, reject });
    this.#add({ call, argument, id });
    const answer = within(this.#options.clock, ms, promise).finally(() => this.#asked.delete(id));
    return (await answer) as Awaited<ReturnType<Theirs[Name]>>;
  }

  /** Takes frames of the other side, in the order in which it sent them. */
  receive(frames: readonly Frame[]): void {
    for (const frame of frames) {
      if (!('call' in frame)) this.#settle(frame);
      else if (this.#calls === undefined) this.#early.push(frame);
      else this.#answer(frame, this.#calls);
    }
  }

  /** Settles when everything was passed to the system. */
  flushed(): Promise<void> {
    if (this.#waiting.length === 0 && this.#unsent === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#whenSent.push(resolve));
  }

  /** Called when the other side has ended. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    for (const { reject } of this.#asked.values()) reject(ended());
    this.#asked.clear();
    this.#reportSent();
  }

  #add(frame: Frame): void {
    if (this.#isClosed) return;
    this.#waiting.push(frame);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    this.#isDue = false;
    const frames = this.#waiting;
    if (frames.length === 0) return;
    this.#waiting = [];
    this.#unsent += 1;
    this.#options.send(frames, () => {
      this.#unsent -= 1;
      if (this.#unsent === 0 && this.#waiting.length === 0) this.#reportSent();
    });
  }

  #reportSent(): void {
    const settled = this.#whenSent;
    this.#whenSent = [];
    for (const settle of settled) settle();
  }

  #answer({ call, argument, id }: Extract<Frame, { call: string }>, calls: Answering<Mine>): void {
    const run = async (): Promise<unknown> => {
      if (!Object.hasOwn(calls, call)) throw new Error(`There is no call ${call}.`);
      return calls[call as keyof Mine](argument as never);
    };
    if (id === undefined) void run().catch(() => {});
    else
      run().then(
        (value) => this.#add({ answer: id, value }),
        (error: unknown) => this.#add({ answer: id, error: errorText(error) }),
      );
  }

  #settle({ answer, value, error }: Extract<Frame, { answer: number }>): void {
    const asked = this.#asked.get(answer);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  }
}
