import type { Timers } from '../../sdk/http/in-process.ts';

const everyMs = 50;
/** How often in a row a process that is looked at may have said nothing. The first time it may not have been read yet. */
const maxSilent = 2;

export interface SilenceWatchOptions {
  readonly timers: Timers;
  /** Whether the process has something to say. */
  readonly isAwaited: () => boolean;
  /** It says nothing; called again for as long as it does. */
  readonly silent: () => void;
}

/**
 * Notices that a process says nothing for about a tenth of a second while it should. It counts looks, and no time, since
 * the gateway may have been occupied itself: between two looks it reads what has arrived.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #looks = 0;
  #stop: (() => void) | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Looks from now on, until nothing is awaited. */
  watch(): void {
    this.#stop ??= this.#options.timers.after(everyMs, this.#look);
  }

  /** The process said something. */
  heard(): void {
    this.#looks = 0;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  readonly #look = (): void => {
    this.#stop = undefined;
    if (!this.#options.isAwaited()) {
      this.#looks = 0;
      return;
    }
    this.#looks += 1;
    this.watch();
    if (this.#looks >= maxSilent) this.#options.silent();
  };
}
