import type { Timers } from '../../sdk/http/in-process.ts';

const everyMs = 50;
/** How many consecutive times a process may be found silent. The first time, its messages may not have been read yet. */
const maxSilent = 2;

export interface SilenceWatchOptions {
  readonly timers: Timers;
  /** Whether a message from the process is expected. */
  readonly isAwaited: () => boolean;
  /** Called while the process is silent, repeatedly. */
  readonly silent: () => void;
}

/**
 * Notices if a process sends nothing for about a tenth of a second although it should. It counts checks rather than time, because
 * the gateway itself may have been busy: between two checks, it reads what has arrived.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #looks = 0;
  #stop: (() => void) | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Checks regularly from now on, until nothing is expected. */
  watch(): void {
    this.#stop ??= this.#options.timers.after(everyMs, this.#look);
  }

  /** Called when the process has sent something. */
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
