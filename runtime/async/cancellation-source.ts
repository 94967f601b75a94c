import type { Cancellation } from '../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';

type Listener = () => void;

const nothing: Listener = () => {};

/** A cancellation that can be fired, once. */
export class CancellationSource implements Cancellation {
  cancelled = false;
  cause: ErrorReport | undefined;
  // Nearly every request has one listener at a time, so a list is created only for more.
  private first: Listener | undefined;
  private others: Set<Listener> | undefined;

  onCancel(listener: Listener): Listener {
    if (this.cancelled) {
      listener();
      return nothing;
    }
    if (this.first === undefined) this.first = listener;
    else {
      this.others ??= new Set();
      this.others.add(listener);
    }
    return () => {
      if (this.first === listener) this.first = undefined;
      else this.others?.delete(listener);
    };
  }

  cancel(cause?: ErrorReport): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.cause = cause;
    const { first, others } = this;
    this.first = undefined;
    this.others = undefined;
    first?.();
    if (others !== undefined) for (const listener of others) listener();
  }
}
