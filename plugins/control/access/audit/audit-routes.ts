import { fromJson } from '../../../../schema/json/from-json.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { resourcePage, resourcePageSchema } from '../../kernel/records/records.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import {
  listReply,
  listSchema,
  objectSchema,
  seconds,
  text,
  textOrNull,
  titled,
} from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { AuditRow } from '../../kernel/store/tables.ts';
import { listAudits } from './audit-store.ts';

const record = titled(
  'AuditLog',
  objectSchema({
    object: { const: 'audit-log' },
    ...{ id: text, created_at: seconds, method: text, uri: text },
    actor: { ...text, description: 'The id of the key, `gateway`, or `unknown` if there is no such key.' },
    ...{
      resource_type: text,
      action: text,
      status: { type: 'integer' },
      client_ip: textOrNull,
      workspace_id: textOrNull,
    },
    detail: { type: 'object', additionalProperties: true },
  }),
);

const toView = (row: AuditRow): object => ({
  object: 'audit-log',
  id: row.id,
  created_at: toSeconds(row.at),
  method: row.method,
  uri: row.uri,
  actor: row.actor,
  resource_type: row.resource_type,
  action: row.action,
  status: row.status,
  client_ip: row.client_ip,
  workspace_id: row.workspace_id,
  detail: row.detail === null ? {} : fromJson(row.detail),
});

/**
 * Creates the route of the audit log. A key of a workspace sees what was done there; a key of the organisation sees everything.
 */
export const auditRoutes = ({ store }: { readonly store: Pick<Store, 'db'> }): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/audit-logs',
    operationId: 'list_audit_logs',
    summary: 'Lists changes and limits that were reached, newest first.',
    scope: 'audit_logs.list',
    query: {
      type: 'object',
      properties: {
        ...resourcePageSchema.properties,
        resource_type: {
          type: 'string',
          description: 'Only entries about this kind of record: `policies`, `keys`, `sessions`, …',
        },
        action: {
          type: 'string',
          description:
            'Only entries with this action: `create`, `update`, `delete`, `limit_reached`, `refused`, `sign_in`, …',
        },
      },
    },
    replies: { 200: listSchema(record) },
    handle: async ({ query: asked }, context) => {
      rejectNulCharacters(asked, 'query');
      const { organisation, tenant } = resolveWorkspace(context, 'audit_logs.list');
      const { total, rows } = await listAudits(store.db, {
        ...resourcePage(asked),
        organisation,
        ...(context.principal.reach === 'organisation' ? {} : { workspace: tenant }),
        resourceType: asked.resource_type,
        action: asked.action,
      });
      return listReply(total, showRows('record of the audit log', rows, toView));
    },
  }),
];
