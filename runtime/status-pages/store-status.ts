import type { LogStatus, SinkStatus, StoreStatus } from '../../plugins/sdk/control-plane/store-status.ts';
import type { GenerationsStatus } from '../file-plans/generations.ts';
import type { Clock } from '../ports/clock.ts';

/** After how many milliseconds something that was not confirmed again may be out of date. */
export const freshMs = 5_000;

/** The store's status in `/readyz`, which keys of an organisation see. */
export interface ShownStore {
  /** `away`: the store did not answer. What is known of it is served. */
  readonly status: 'ready' | 'away';
  /** The versions of what is served: two processes that show the same ones serve the same. */
  readonly feeds: StoreStatus['feeds'];
  /** Seconds since the epoch. */
  readonly confirmed_at: number;
  /** Why it could not be read when last queried. Absent if it could. */
  readonly read_failure?: string;
  /** Why it cannot be written. Absent if it can. */
  readonly write_failure?: string;
  /** Why the ledger cannot be written. Absent if it can. */
  readonly ledger_failure?: string;
  /** The number of workspaces that this process has not read yet. Absent if it has read all. */
  readonly unread_workspaces?: number;
  /** The number of prompts of the other workspaces that it has not read yet. Absent if it has read all. */
  readonly unread_prompts?: number;
  readonly log?: ShownLog;
}

/** The status of the request log in the store. */
export interface ShownLog {
  /** `away`: it cannot be written. Requests are served without it. */
  readonly status: 'ready' | 'away';
  /** The number of records that wait to be written. */
  readonly waiting: number;
  /** The number of records that were dropped since the process started. */
  readonly dropped: number;
  readonly sinks?: readonly ShownSink[];
}

/** The status of a receiver of the log. */
export interface ShownSink extends Omit<SinkStatus, 'failing'> {
  /** `failing`: it did not accept what it was last sent. */
  readonly status: 'ready' | 'failing';
  /** The reason. */
  readonly reason?: string;
}

const unavailableReason = (ageMs: number, failure: string | undefined): string => {
  const age = `Data from ${Math.floor(ageMs / 1000)} s ago is served.`;
  return failure === undefined
    ? `The control plane's store does not answer. ${age} Check that this process can reach it.`
    : `The control plane's store cannot be read. ${failure} ${age}`;
};

const countersReason =
  'The Redis that counts limits does not answer, or refuses commands. Limits let requests through and count them afterwards, unless a policy has "if_unknown": "refuse". See the gateway\'s log for the reason.';

const writesReason = (failure: string): string =>
  `The control plane's store cannot be written. ${failure} Requests are served with known data, and changes are refused.`;

export const ledgerReason = (failure: string): string =>
  `The ledger of usage cannot be written. ${failure} What requests use is kept in memory until it can.`;

const logReason =
  "The request log cannot be written, and requests are served without it. See the gateway's log for the reason.";

/** Returns the status of a receiver of the log, as `/readyz` shows it. */
export const shownSink = ({ name, sink, failing, ...counts }: SinkStatus): ShownSink => ({
  ...{ name, sink, status: failing === undefined ? 'ready' : 'failing' },
  ...(failing === undefined ? {} : { reason: failing }),
  ...counts,
});

const shownLog = ({ isUnavailable, waiting, dropped, sinks }: LogStatus): ShownLog => ({
  status: isUnavailable ? 'away' : 'ready',
  waiting,
  dropped,
  ...(sinks === undefined ? {} : { sinks: sinks.map(shownSink) }),
});

/** Returns why a gateway is degraded: the first unavailable part. */
const findReason = (
  { readFailure, writeFailure, ledgerFailure, countersUnavailable = false, log }: StoreStatus,
  { unavailable, ageMs }: { readonly unavailable: boolean; readonly ageMs: number },
): string | undefined => {
  if (unavailable) return unavailableReason(ageMs, readFailure);
  if (writeFailure !== undefined) return writesReason(writeFailure);
  if (ledgerFailure !== undefined) return ledgerReason(ledgerFailure);
  if (countersUnavailable) return countersReason;
  return log?.isUnavailable === true ? logReason : undefined;
};

/** Whether what is served may be out of date. */
export const isStoreUnavailable = (
  { isUnavailable, confirmedAt }: Pick<StoreStatus, 'isUnavailable' | 'confirmedAt'>,
  clock: Pick<Clock, 'wall'>,
): boolean => isUnavailable || clock.wall() - confirmedAt > freshMs;

/**
 * Returns the status of a gateway that follows a store: `degraded` while the store, its counters or the log are unavailable, or
 * while it cannot be written, never worse.
 */
export const withStoreStatus = (
  status: GenerationsStatus,
  known: StoreStatus,
  clock: Pick<Clock, 'wall'>,
): GenerationsStatus & { readonly store: ShownStore } => {
  const { feeds, confirmedAt, readFailure, writeFailure, ledgerFailure, unread = 0, unreadPrompts = 0, log } = known;
  const ageMs = clock.wall() - confirmedAt;
  const unavailable = isStoreUnavailable(known, clock);
  const store: ShownStore = {
    status: unavailable ? 'away' : 'ready',
    feeds,
    confirmed_at: Math.floor(confirmedAt / 1000),
    ...(readFailure === undefined ? {} : { read_failure: readFailure }),
    ...(writeFailure === undefined ? {} : { write_failure: writeFailure }),
    ...(ledgerFailure === undefined ? {} : { ledger_failure: ledgerFailure }),
    ...(unread === 0 ? {} : { unread_workspaces: unread }),
    ...(unreadPrompts === 0 ? {} : { unread_prompts: unreadPrompts }),
    ...(log === undefined ? {} : { log: shownLog(log) }),
  };
  const reason = findReason(known, { unavailable, ageMs });
  if (reason === undefined || status.status === 'not-ready') return { ...status, store };
  return { ...status, status: 'degraded', reason: status.reason ?? reason, store };
};
