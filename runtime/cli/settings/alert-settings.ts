import { lostRecords, type SinkStatus, type StoreStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import { webhookSigner } from '../../../plugins/sdk/delivery/sign-webhook.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { GenerationsStatus } from '../../file-plans/generations.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { unavailableParts } from '../../status-pages/unavailable-parts.ts';
import type { AlertedHealth, AlertTransports } from '../services/alerts.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** Returns a reader for texts that may be references. */
export const textReader =
  (read: SecretReader): AlertTransports['read'] =>
  (text) =>
    isSecretRef(text) ? read(text) : text;

const addressMembers = ['webhook', 'slack'] as const;
const members = [...addressMembers, 'secret', 'pagerduty'] as const;

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Returns why the secret of a webhook cannot be used. Undefined if it can. */
const secretProblem = (secret: string): string | undefined => {
  try {
    webhookSigner([secret]);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
};

/** Checks what the settings refer to, and collects what receivers need. Throws a `ServeFailure`. */
export const alertWays = (
  settings: AlertTransports['settings'],
  { read: readSecret, http }: { readonly read: SecretReader; readonly http: AlertTransports['http'] },
): AlertTransports => {
  const read = textReader(readSecret);
  for (const [index, receiver] of settings.to.entries()) {
    const named = (member: string): string => `"alerts.to[${index}].${member}" in the gateway file`;
    for (const member of members) {
      const given = receiver[member];
      if (given !== undefined && read(given) === undefined)
        throw new ServeFailure(
          `${named(member)} refers to ${given}, which is not set. Set it, or remove the receiver.`,
        );
    }
    for (const member of addressMembers) {
      const given = receiver[member];
      // It may be a secret, so it is not shown.
      if (given !== undefined && !isAddress(read(given) ?? ''))
        throw new ServeFailure(`The value of ${named(member)} is not a URL: it must begin with https:// or http://.`);
    }
    const problem = receiver.secret === undefined ? undefined : secretProblem(read(receiver.secret) ?? '');
    if (problem !== undefined) throw new ServeFailure(`The value of ${named('secret')} cannot be used. ${problem}`);
  }
  return { settings, read, http };
};

/** The sources of what a gateway knows of itself. */
export interface AlertFacts {
  /** Absent until it serves. */
  readonly plans: GenerationsStatus | undefined;
  /** Absent without a store. */
  readonly store: StoreStatus | undefined;
  /** The number of log lines that were dropped because nobody read them. */
  readonly droppedLines: number;
}

/**
 * Counts, by intended destination, what was lost in the process that writes the gateway's output and has the sinks of its log.
 */
export const ownLosses = ({
  droppedLines,
  sinks,
}: {
  readonly droppedLines: number;
  readonly sinks: readonly SinkStatus[];
}): AlertedHealth['dropped'] => ({
  'the output of the gateway': droppedLines,
  ...Object.fromEntries(sinks.map((sink) => [`the sink ${sink.name}`, lostRecords(sink)])),
});

/** Collects the state of a gateway, from which alerts are created. */
export const alertHealth = ({ plans, store, droppedLines }: AlertFacts): AlertedHealth => ({
  refused: plans?.refused ?? [],
  missing: plans?.reason,
  hashes: new Set(plans?.plans.map(({ hash }) => hash)),
  unavailable: store === undefined ? new Set() : unavailableParts(store, systemClock),
  dropped: {
    ...ownLosses({ droppedLines, sinks: store?.log?.sinks ?? [] }),
    ...(store?.log === undefined ? {} : { 'the log of requests': store.log.dropped }),
  },
});
