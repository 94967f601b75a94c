import type { ChildProcess } from 'node:child_process';
import { fileError } from '../../../schema/text/file-error.ts';
import { ServeFailure } from '../../cli/settings/serve-failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Listens, OwnerCalls, WorkerCalls, WorkerSetup } from '../calls.ts';
import { type Answering, Channel, type Frame } from '../channel.ts';

/** `starting`: it does not listen yet. `retiring`: it is meant to end. */
export type WorkerState = 'starting' | 'serving' | 'retiring' | 'ended';

/** Thrown if a worker could not start, with the reason that it reports. */
export class WorkerFailure extends ServeFailure {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** The end of a process. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Describes how a process ended, as part of a sentence. */
export const endText = ({ code, signal }: WorkerEnd): string =>
  signal === null ? `it ended with ${code}` : `it was ended by ${signal}`;

/** How many milliseconds a worker has to listen: twice as long as its plans may take to compile and link. */
const startMs = 60_000;

export interface WorkerProcessOptions {
  readonly child: ChildProcess;
  readonly clock: Clock;
  readonly seat: WorkerSetup;
  readonly handle: object;
  readonly calls: (worker: WorkerProcess) => Omit<Answering<OwnerCalls>, 'listens' | 'fails'>;
}

/** One worker, as its owner sees it. */
export class WorkerProcess {
  readonly id: number;
  readonly channel: Channel<WorkerCalls, OwnerCalls>;
  /** Settles when it listens. Rejects with a `WorkerFailure`. */
  readonly listens: Promise<Listens>;
  readonly ended: Promise<WorkerEnd>;
  readonly #child: ChildProcess;
  #state: WorkerState = 'starting';
  #isMeantToEnd = false;
  /** Changes that require a restart, as far as it knows them. */
  restarts: readonly string[] = [];
  /** By how much its generation number is lower than that of the gateway. */
  behind = 0;

  constructor({ child, clock, seat, handle, calls }: WorkerProcessOptions) {
    this.id = seat.worker;
    this.#child = child;
    const listens = Promise.withResolvers<Listens>();
    this.listens = listens.promise;
    this.listens.catch(() => {});
    let failure: WorkerFailure | undefined;
    const stopTimer = clock.after(startMs, () => {
      failure = new WorkerFailure(`A worker cannot start: it did not listen within ${startMs / 1000} seconds.`, 1);
      this.kill();
    });
    this.channel = new Channel({ clock, send: (frames, sent) => this.#send(frames, sent) });
    this.channel.answer({
      ...calls(this),
      listens: (facts) => {
        stopTimer();
        this.#advance('serving');
        listens.resolve(facts);
      },
      fails: ({ message, code }) => {
        failure = new WorkerFailure(message, code);
      },
    } as Answering<OwnerCalls>);
    child.on('message', (frames) => this.channel.receive(frames as readonly Frame[]));
    child.on('error', () => {});
    this.ended = new Promise((resolve) => {
      const end = (ended: WorkerEnd): void => {
        stopTimer();
        this.#state = 'ended';
        this.channel.close();
        listens.reject(failure ?? new WorkerFailure(`A worker cannot start: ${endText(ended)}.`, 1));
        resolve(ended);
      };
      // A program that cannot be started never exits.
      if (child.pid === undefined)
        child.once('error', (error) => {
          failure = new WorkerFailure(`A worker cannot start: ${fileError(error)}.`, 1);
          end({ code: 1, signal: null });
        });
      // Comes after everything that it had sent.
      else child.once('close', (code, signal) => end({ code, signal }));
    });
    // Without a process, there is no channel to it.
    if (child.connected) child.send(seat, handle as never, () => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get state(): WorkerState {
    return this.#state;
  }

  /** Whether its end is expected. */
  get isMeantToEnd(): boolean {
    return this.#isMeantToEnd;
  }

  /** Makes it accept no more connections, and end when its requests have. */
  retire(): void {
    this.#endLater();
    this.channel.notify('retire', undefined);
  }

  /** Drains it like a gateway with a single process. */
  stop(): void {
    this.#endLater();
    this.channel.notify('signal', { signal: 'SIGTERM' });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #endLater(): void {
    this.#isMeantToEnd = true;
    this.#advance('retiring');
  }

  #advance(state: WorkerState): void {
    if (this.#state !== 'ended' && this.#state !== 'retiring') this.#state = state;
  }

  #send(frames: readonly Frame[], sent: () => void): void {
    if (this.#child.connected) this.#child.send(frames as Frame[], () => sent());
    else sent();
  }
}
