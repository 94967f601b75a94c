import type { TakeMemory } from '../../upstream/held-memory.ts';

interface Bounds {
  readonly hooks: number;
  readonly bytes: number;
}

/** How many hooks run in the background at once, and how many bytes of requests, texts and answers they may hold together. */
const defaultBounds: Bounds = { hooks: 200, bytes: 64 * 1024 * 1024 };

export interface BackgroundOptions {
  /** Notifies the operator, in whole sentences. */
  readonly log: (text: string) => void;
  readonly bounds?: Bounds;
}

/** Runs hooks that nobody waits for, a limited number at once. Others are dropped, and the operator is notified. */
export class BackgroundHooks {
  readonly #log: (text: string) => void;
  readonly #bounds: Bounds;
  #running = 0;
  #bytes = 0;
  /** The number dropped since the last time there was room. */
  #dropped = 0;

  constructor({ log, bounds = defaultBounds }: BackgroundOptions) {
    this.#log = log;
    this.#bounds = bounds;
  }

  /**
   * Runs a hook now, or drops it. `bytes` is about what it holds in memory; it reserves what it receives beyond that. Resolves
   * when it has ended. Undefined if it is dropped.
   */
  start(run: (takeMemory: TakeMemory) => Promise<void>, bytes: number): Promise<void> | undefined {
    const isFull =
      this.#running >= this.#bounds.hooks || (this.#running > 0 && this.#bytes + bytes > this.#bounds.bytes);
    if (isFull) {
      this.#drop();
      return undefined;
    }
    this.#running += 1;
    this.#bytes += bytes;
    let held = bytes;
    let isOver = false;
    const takeMemory = (more: number): boolean => {
      if (isOver || this.#bytes + more > this.#bounds.bytes) return false;
      this.#bytes += more;
      held += more;
      return true;
    };
    const ended = (): void => {
      isOver = true;
      this.#ended(held);
    };
    return run(takeMemory).then(ended, ended);
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped === 1)
      this.#log(
        `Background hooks are being dropped: ${this.#running} are already running. Make their checks faster, or shorten their "timeout".`,
      );
  }

  #ended(bytes: number): void {
    this.#running -= 1;
    this.#bytes -= bytes;
    if (this.#dropped === 0 || this.#running > 0) return;
    this.#log(`${this.#dropped} background hooks were dropped, because too many ran at once.`);
    this.#dropped = 0;
  }
}
