import { createHash } from 'node:crypto';
import { seenJson } from '../../../../schema/json/seen-json.ts';
import type { LimitReached } from '../../../sdk/hooks/limit-reached.ts';
import type { AuditLog } from '../../access/audit/audit-log.ts';
import type { AuditRecord } from '../../access/audit/audit-store.ts';
import { amountText } from './amount-text.ts';
import type { ReachedKind, ReachedLimit } from './matching/reached-limits.ts';

export interface NotifyReachedOptions {
  readonly audit: Pick<AuditLog, 'write'>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** Tells plugins. */
  readonly notify: (reached: LimitReached) => void;
}

interface ReachedPlace {
  readonly kind: ReachedKind;
  readonly policy: string;
  readonly bucket: string;
  /** When the counter begins anew, in milliseconds since the epoch; 0 if never. */
  readonly resetsAt: number;
}

/** The id of the record of what a counter has reached: one for each window, whichever process sees it first. */
export const reachedId = ({ kind, policy, bucket, resetsAt }: ReachedPlace): string =>
  `limit-${createHash('sha256')
    .update(JSON.stringify([kind, policy, bucket, resetsAt]))
    .digest('hex')
    .slice(0, 40)}`;

const toEvent = ({ policy: { id, name, unit, limit }, ...rest }: ReachedLimit): LimitReached => ({
  ...rest,
  ...{ policy: id, name, unit, limit },
});

const toRecord = (reached: LimitReached): AuditRecord => {
  const { kind, policy, bucket, name, unit, used, limit, resetsAt = 0, organisation, workspace, at } = reached;
  return {
    ...{ id: reachedId({ kind, policy, bucket, resetsAt }), at, organisation, workspace, method: '', uri: '' },
    ...{ actor: 'gateway', resourceType: 'policies', action: 'limit_reached', status: 200 },
    detail: { kind, policy, name, bucket, unit, used, limit, resets_at: resetsAt },
  };
};

/** Callers choose what labels contain, and the operator's terminal shows it. */
const quoted = (text: string): string => seenJson(JSON.stringify(text));

const sentence = ({ kind, name, bucket, unit, used, limit }: LimitReached): string => {
  const whose = bucket === '' ? '' : ` for ${quoted(bucket)}`;
  const ending = kind === 'exhausted' ? 'requests that it covers are refused' : 'its alert is reached';
  return `gw: Of the limit ${quoted(name)}, ${amountText(unit, used)} of ${amountText(unit, limit)} are used${whose}: ${ending}.\n`;
};

/** Writes what was reached to the audit log, and then tells the operator and plugins, unless another process did. */
export const notifyReached =
  ({ audit, say, notify }: NotifyReachedOptions): ((reached: ReachedLimit) => void) =>
  (limit) => {
    const reached = toEvent(limit);
    void audit.write(toRecord(reached)).then((isNew) => {
      if (!isNew) return;
      say(sentence(reached));
      notify(reached);
    });
  };
