import type { StorePart } from '../../sdk/control-plane/store-status.ts';
import type { Occurrence } from '../messages/alert.ts';
import { cutText } from '../messages/alert-text.ts';
import { plainName, shownName } from './shown-name.ts';

/** The current state of a gateway. */
export interface GatewayHealth {
  /** Files that were refused. The last valid config of the same name stays in service. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Why requests that name no config are not served. Absent if they are. */
  readonly missing?: string | undefined;
  /** The hashes of the plans from files that are in service. */
  readonly hashes: ReadonlySet<string>;
  readonly unavailable: ReadonlySet<StorePart>;
  /** Counts of lost records since the process started, by destination. */
  readonly dropped: Readonly<Record<string, number>>;
}

interface PartTexts {
  readonly what: string;
  readonly over: string;
  readonly effect: string;
  readonly action: string;
}

const parts: Readonly<Record<StorePart, PartTexts>> = {
  store: {
    what: 'The store of the control plane does not answer',
    over: 'The store of the control plane answers again.',
    effect: 'What is known of it is served',
    action: 'Check that the gateway reaches its database.',
  },
  writes: {
    what: 'The store of the control plane cannot be written',
    over: 'The store of the control plane can be written again.',
    effect: 'Requests are served with known data, and changes are refused',
    action: 'Look at the log of the gateway and at the disk of the database.',
  },
  ledger: {
    what: 'The ledger of usage cannot be written',
    over: 'The ledger of usage can be written again.',
    effect: 'What requests use is kept in memory until it can',
    action: 'Look at the log of the gateway, and do not stop the gateway before: what is in its memory would be lost.',
  },
  counters: {
    what: 'The Redis in which limits are counted does not answer',
    over: 'The Redis in which limits are counted answers again.',
    effect: 'Limits let requests through, and count them afterwards, unless a policy has "if_unknown": "refuse"',
    action: 'Check that the gateway reaches its Redis.',
  },
  log: {
    what: 'The log of requests cannot be written',
    over: 'The log of requests can be written again.',
    effect: 'Requests are served without it',
    action: 'Look at the log of the gateway and at the disk of the store.',
  },
};

/** A problem, and the sentence for when it is over. */
interface Trouble extends Occurrence {
  readonly over: string;
}

export interface HealthAlertsOptions {
  readonly note: (occurrence: Occurrence) => void;
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly source: string;
  readonly unavailableMs: number;
}

/** Reports what the gateway knows about itself: refused configs, unavailable parts, and losses. */
export class HealthAlerts {
  readonly #options: HealthAlertsOptions;
  /** Problems by their keys. */
  readonly #open = new Map<string, Trouble>();
  readonly #unavailableSince = new Map<StorePart, number>();
  readonly #dropped = new Map<string, number>();

  constructor(options: HealthAlertsOptions) {
    this.#options = options;
  }

  /** Called every second. */
  look({ refused, missing, unavailable, dropped }: GatewayHealth): void {
    const now = [
      ...refused.map((each) => this.#refused(each)),
      ...(missing === undefined ? [] : [this.#missing(missing)]),
      ...this.#longUnavailable(unavailable),
    ];
    const keys = new Set(now.map(({ key }) => key));
    for (const trouble of now) {
      if (this.#open.has(trouble.key)) continue;
      this.#open.set(trouble.key, trouble);
      const { over: _, ...occurrence } = trouble;
      this.#options.note(occurrence);
    }
    for (const [key, { over, ...occurrence }] of this.#open) {
      if (keys.has(key)) continue;
      this.#open.delete(key);
      this.#options.note({ ...occurrence, state: 'resolved', title: over, action: '' });
    }
    for (const [where, count] of Object.entries(dropped)) this.#lost(where, count);
  }

  #refused({ file, reason }: { readonly file: string; readonly reason: string }): Trouble {
    return {
      kind: 'config.refused',
      key: `config.refused ${this.#options.source} ${file}`,
      state: 'open',
      severity: 'error',
      title: `The config ${shownName(file)} was refused, and its last good version stays in service: ${cutText(plainName(reason), 300)}`,
      action: `Correct the file. gw check finds every mistake in it.`,
      tenant: '',
      details: { file: plainName(file) },
      over: `The config ${shownName(file)} is no longer refused.`,
    };
  }

  #missing(reason: string): Trouble {
    return {
      kind: 'config.refused',
      key: `config.refused ${this.#options.source}`,
      state: 'open',
      severity: 'critical',
      title: cutText(reason, 500),
      action: '',
      tenant: '',
      details: {},
      over: 'What the gateway file names is served again.',
    };
  }

  #longUnavailable(unavailable: GatewayHealth['unavailable']): readonly Trouble[] {
    const { now, unavailableMs, source } = this.#options;
    for (const part of this.#unavailableSince.keys()) if (!unavailable.has(part)) this.#unavailableSince.delete(part);
    return [...unavailable].flatMap((part): readonly Trouble[] => {
      const since = this.#unavailableSince.get(part) ?? now();
      this.#unavailableSince.set(part, since);
      if (now() - since < unavailableMs) return [];
      const { what, over, effect, action } = parts[part];
      return [
        {
          kind: 'store.unavailable',
          key: `store.unavailable ${source} ${part}`,
          state: 'open',
          severity: part === 'log' ? 'error' : 'critical',
          title: `${what}, for ${Math.round(unavailableMs / 1000)} s so far. ${effect}.`,
          ...{ action, tenant: '' },
          ...{ details: { part }, over },
        },
      ];
    });
  }

  #lost(where: string, count: number): void {
    const { note, source } = this.#options;
    const before = this.#dropped.get(where) ?? 0;
    this.#dropped.set(where, count);
    if (count <= before) return;
    note({
      kind: 'records.dropped',
      key: `records.dropped ${source} ${where}`,
      state: 'once',
      severity: 'warning',
      title: `Records of requests are lost on their way to ${where}, ${count} since the gateway started.`,
      action: 'Look at the log of the gateway for why they cannot be written, and at how many requests it serves.',
      tenant: '',
      times: count - before,
      details: { where, dropped: count },
    });
  }
}
