import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { AuditLog } from '../audit/audit-log.ts';

type Noted = Pick<RouteContext, 'clientAddress' | 'traceId' | 'now'>;

/** Records who signs in to the console and out of it, and which keys are refused there. It never rejects, and stores no key. */
export interface SessionAudit {
  signedIn(holder: Principal, context: Noted): Promise<void>;
  signedOut(holder: Principal, context: Noted): Promise<void>;
  /** Records a key that does not exist or is no longer valid. */
  refused(key: string, context: Noted): void;
}

/** Writes the records of sessions to the audit log. `findKeyId` returns the id in the text of a key. */
export const auditSessions = (
  log: Pick<AuditLog, 'write' | 'refusedSignIns'>,
  findKeyId: (key: string) => string | undefined,
): SessionAudit => {
  const write =
    (method: 'POST' | 'DELETE', action: 'sign_in' | 'sign_out', operation: string) =>
    async ({ organisation, workspace, keyId }: Principal, { clientAddress, traceId, now }: Noted): Promise<void> => {
      if (organisation === undefined || keyId === undefined) return;
      const at = now();
      await log.write({
        ...{ id: newId(at), at, organisation, workspace, actor: keyId, clientIp: clientAddress },
        ...{ method, uri: '/v1/console/session', resourceType: 'sessions', action, status: 200 },
        detail: { operation, trace: traceId },
      });
    };
  return {
    signedIn: write('POST', 'sign_in', 'begin_session'),
    signedOut: write('DELETE', 'sign_out', 'end_session'),
    refused(key, { clientAddress: address, now }) {
      const keyId = findKeyId(key);
      log.refusedSignIns.note({
        ...(keyId === undefined ? {} : { keyId }),
        ...(address === undefined ? {} : { address }),
        at: now(),
      });
    },
  };
};
