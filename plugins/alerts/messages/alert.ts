import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

export type AlertSettings = NonNullable<GatewayFile['alerts']>;
export type ReceiverSettings = AlertSettings['to'][number];
export type AlertKind = NonNullable<ReceiverSettings['on']>[number] | 'alerts.test';
export type Severity = NonNullable<ReceiverSettings['severity']>;

/** `once`: something whose end the gateway does not observe. */
export type AlertState = 'open' | 'resolved' | 'once';

/** Something that has happened. Its texts contain only names, counts and times. */
export interface Occurrence {
  readonly kind: AlertKind;
  /** Identifies its subject. The same for its beginning and its end, and in every run of the gateway. */
  readonly key: string;
  readonly state: AlertState;
  readonly severity: Severity;
  /** A sentence. */
  readonly title: string;
  /** Instructions, in sentences. Empty if there is nothing to do. */
  readonly action: string;
  /** The tenant whose share it uses: a workspace, or the gateway itself (empty). */
  readonly tenant: string;
  readonly organisation?: string;
  readonly workspace?: string;
  readonly details: JsonObject;
  /** How often it has happened; once if absent. */
  readonly times?: number;
  /** The name of this occurrence, if one message stands for several. */
  readonly sample?: string;
}

/** A message about an occurrence. */
export interface Alert extends Omit<Occurrence, 'times' | 'sample'> {
  /** The same when the message is sent again. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How often it has happened, or changed, since the previous message. */
  readonly count: number;
  /** The names of some of the occurrences. */
  readonly samples: readonly string[];
}

const severities: readonly Severity[] = ['info', 'warning', 'error', 'critical'];

/** Kinds that a receiver gets only if it names them. */
const namedOnly: ReadonlySet<AlertKind> = new Set(['gateway.started', 'gateway.stopped']);

/** Whether an occurrence is sent to a receiver. `slug` is that of its workspace, or empty if it has none. */
export const isWanted = (
  { kind, severity, workspace }: Pick<Occurrence, 'kind' | 'severity' | 'workspace'>,
  { on, severity: min = 'info', workspaces }: ReceiverSettings,
  slug: string,
): boolean =>
  (on === undefined ? !namedOnly.has(kind) : on.some((each) => each === kind)) &&
  severities.indexOf(severity) >= severities.indexOf(min) &&
  (workspaces === undefined ||
    (workspace !== undefined && (workspaces.includes(workspace) || workspaces.includes(slug))));
