import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { AnyRouteRow, RouteContext, RouteInput } from '../../../sdk/route/route-row.ts';
import { isChange } from '../../kernel/requests/control-route.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditRecord } from './audit-record.ts';

const longestUri = 1024;

/** The path that was called, below `/v1`. */
const toUri = (row: Pick<AnyRouteRow, 'path'>, { params }: RouteInput): string =>
  row.path
    .replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '').toWellFormed()))
    .slice(0, longestUri);

const findRecord = (
  row: AnyRouteRow,
  input: RouteInput,
  { context, status }: { readonly context: RouteContext; readonly status: number },
): AuditRecord | undefined => {
  const { organisation, workspace, keyId } = context.principal;
  // Keys of the gateway file change nothing in the store.
  if (organisation === undefined) return undefined;
  const [resourceType = '', action = ''] = (row.scope ?? '').split('.');
  const at = context.now();
  return {
    ...{ id: newId(at), at, organisation, method: row.method, uri: `/v1${toUri(row, input)}` },
    workspace,
    ...{ actor: keyId ?? 'gateway', resourceType, action, status },
    clientIp: context.clientAddress,
    detail: { operation: row.operationId, trace: context.traceId },
  };
};

const readStatus = (error: unknown): number => (error instanceof GatewayError ? error.report.status : 500);

/**
 * Routes whose changes are written down in the audit log, those that are refused too. An answer to a change that was made
 * waits for its record.
 */
export const audited = (rows: readonly AnyRouteRow[], log: AuditLog): readonly AnyRouteRow[] =>
  rows.map((row) => {
    if (!isChange(row)) return row;
    const write = async (input: RouteInput, about: { readonly context: RouteContext; readonly status: number }) => {
      const record = findRecord(row, input, about);
      if (record !== undefined) await log.write(record);
    };
    return {
      ...row,
      handle: async (input, context) => {
        try {
          const reply = await row.handle(input, context);
          await write(input, { context, status: reply.status });
          return reply;
        } catch (error) {
          void write(input, { context, status: readStatus(error) });
          throw error;
        }
      },
    };
  });
