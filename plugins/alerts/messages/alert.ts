import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

export type AlertSettings = NonNullable<GatewayFile['alerts']>;
export type ReceiverSettings = AlertSettings['to'][number];
export type AlertKind = NonNullable<ReceiverSettings['on']>[number] | 'alerts.test';
export type Severity = NonNullable<ReceiverSettings['severity']>;

/** `once`: it has no end of which a gateway knows. */
export type AlertState = 'open' | 'resolved' | 'once';

/** Something that has happened. Its texts are of names, counts and times. */
export interface Occurrence {
  readonly kind: AlertKind;
  /** Names its subject: the same for its beginning and its end, and in every run of the gateway. */
  readonly key: string;
  readonly state: AlertState;
  readonly severity: Severity;
  /** A sentence. */
  readonly title: string;
  /** Instructions, in sentences; empty where there is nothing to do. */
  readonly action: string;
  /** The owner of the share that it takes: a workspace, or the gateway itself (empty). */
  readonly tenant: string;
  readonly organisation?: string;
  readonly workspace?: string;
  readonly details: JsonObject;
  /** How often it has happened; once if absent. */
  readonly times?: number;
  /** Of several that one message stands for: the name of this one. */
  readonly sample?: string;
}

/** One message about it. */
export interface Alert extends Omit<Occurrence, 'times' | 'sample'> {
  /** The same when it is sent again. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How often it has happened, or changed, since the message before. */
  readonly count: number;
  /** The names of some of them. */
  readonly samples: readonly string[];
}

const severities: readonly Severity[] = ['info', 'warning', 'error', 'critical'];

/** Kinds that a receiver gets only where it names them. */
const namedOnly: ReadonlySet<AlertKind> = new Set(['gateway.started', 'gateway.stopped']);

/** Whether a receiver is to be sent it. `slug` is that of its workspace, or empty where it has none. */
export const isWanted = (
  { kind, severity, workspace }: Pick<Occurrence, 'kind' | 'severity' | 'workspace'>,
  { on, severity: min = 'info', workspaces }: ReceiverSettings,
  slug: string,
): boolean =>
  (on === undefined ? !namedOnly.has(kind) : on.some((each) => each === kind)) &&
  severities.indexOf(severity) >= severities.indexOf(min) &&
  (workspaces === undefined ||
    (workspace !== undefined && (workspaces.includes(workspace) || workspaces.includes(slug))));
