import type { Occurrence } from '../messages/alert.ts';

/** The maximum number of subjects that are tracked. */
const maxOpen = 1000;

/** If no request has tried the target for this long, it is no longer known whether it works. */
const forgottenMs = 24 * 60 * 60 * 1000;

/** Something about a target that begins or ends, as it is reported. */
export interface TargetChange {
  /** `still-open` and `tried` are repeated observations. `still-open` also begins something that is not known yet. */
  readonly state: 'opened' | 'still-open' | 'tried' | 'closed';
  /** The occurrence that is reported when it begins. */
  readonly occurrence: Occurrence;
  /** The beginning of the sentence that is reported when it ends, and the rest of the sentence if it was closed. */
  readonly ending: { readonly subject: string; readonly closed: string };
  /** The hash of the plan. */
  readonly hash: string;
}

interface OpenTarget {
  change: TargetChange;
  /** Whether the plan is from a file. */
  isServed: boolean;
  /** How many of its parts are open. */
  count: number;
  /** When one of them last changed, in milliseconds of the monotonic clock. */
  at: number;
}

export interface TargetAlertsOptions {
  readonly note: (occurrence: Occurrence) => void;
  readonly now: () => number;
  /** The hashes of the plans from files that are in service. */
  readonly hashes: () => ReadonlySet<string>;
}

/** Reports problems of targets, that is, open circuits and refused credentials, and when they are over. */
export class TargetAlerts {
  readonly #options: TargetAlertsOptions;
  readonly #open = new Map<string, OpenTarget>();

  constructor(options: TargetAlertsOptions) {
    this.#options = options;
  }

  changed(change: TargetChange): void {
    const { key } = change.occurrence;
    const open = this.#open.get(key);
    if (open !== undefined) open.at = this.#options.now();
    if (change.state === 'opened' || change.state === 'still-open') this.#opened(change, open);
    else if (change.state === 'closed' && open !== undefined) {
      open.count -= 1;
      if (open.count <= 0) this.#closed(key, change.ending.closed);
    }
  }

  /** Closes subjects about which no more changes are expected. */
  look(): void {
    if (this.#open.size === 0) return;
    const hashes = this.#options.hashes();
    const now = this.#options.now();
    for (const [key, { change, isServed, at }] of this.#open) {
      if (isServed && !hashes.has(change.hash)) this.#closed(key, 'is gone: its config was replaced');
      else if (now - at > forgottenMs) this.#closed(key, 'was not tried by any request for a day');
    }
  }

  #opened(change: TargetChange, open: OpenTarget | undefined): void {
    const isServed = this.#options.hashes().has(change.hash);
    if (open !== undefined) {
      if (change.state === 'opened') open.count += 1;
      else Object.assign(open, { change, isServed });
      return;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= maxOpen && oldest !== undefined) this.#closed(oldest, 'is no longer tracked');
    this.#open.set(change.occurrence.key, { change, isServed, count: 1, at: this.#options.now() });
    this.#options.note(change.occurrence);
  }

  #closed(key: string, how: string): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const { occurrence, ending } = open.change;
    this.#options.note({ ...occurrence, state: 'resolved', title: `${ending.subject} ${how}.`, action: '' });
  }
}
