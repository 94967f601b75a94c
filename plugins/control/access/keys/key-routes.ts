import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { ownLimitMembers } from '../../kernel/limits/limit-members.ts';
import { searchedPageSchema } from '../../kernel/records/search.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { etagSchema, ifMatchSchema, readIfMatch, withEtag } from '../../kernel/requests/precondition.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { emptyReply, nothingSchema, ok, orNull, seconds, text } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import {
  defaultsSchema,
  idsSchema,
  keyPageSchema,
  keySchema,
  kindSchema,
  madeKeySchema,
  type NewKeyBody,
  rotatedKeySchema,
  rotationPolicySchema,
  scopesSchema,
  statusSchema,
} from './key-bodies.ts';
import { createKeyService, type SavedKey } from './key-service.ts';
import { hasConfig } from './key-store.ts';

const members = {
  name: text,
  organisation_id: { type: 'string', description: 'Your own organisation; any other is refused.' },
  scopes: scopesSchema,
  defaults: defaultsSchema,
  expires_at: seconds,
  rotation_policy: rotationPolicySchema,
  ...ownLimitMembers,
} as const;

const inWorkspace = {
  ...members,
  workspace_id: { type: 'string', description: 'An id or a slug; the workspace in which the request acts if absent.' },
} as const;

const ofUser = {
  ...inWorkspace,
  user_id: { type: 'string', description: 'The user that the key belongs to.' },
} as const;

const bodies = {
  created: {
    type: 'object',
    required: ['name', 'scopes'],
    properties: { ...ofUser, kind: { ...kindSchema, default: 'workspace-service' } },
  },
  changed: {
    type: 'object',
    properties: {
      name: text,
      scopes: scopesSchema,
      defaults: defaultsSchema,
      expires_at: orNull(seconds),
      rotation_policy: orNull(rotationPolicySchema),
      ...ownLimitMembers,
    },
  },
} as const;

/** The bodies that create and change keys. */
export const keyBodies: Readonly<Record<'created' | 'changed', ParameterSchema>> = bodies;

const making = { method: 'POST', scope: 'keys.create', replies: { 200: madeKeySchema } } as const;

const shownKey = ({ row, shown }: SavedKey): JsonReply => withEtag(row, shown);

/**
 * Creates the routes of service keys. Those that create keys run each time, also with an `idempotency-key`: their replies contain
 * the text of the key, which is never stored.
 */
export const keyRoutes = (
  parts: Pick<ControlParts, 'store' | 'now' | 'overlay' | 'counters'>,
): readonly ControlRoute[] => {
  const keys = createKeyService({
    ...parts,
    hasConfig: (db, workspace, name) => hasConfig(db, { overlay: parts.overlay, workspace, name }),
  });
  const make = async (body: NewKeyBody, { principal }: RouteContext): Promise<JsonReply> => {
    rejectNulCharacters(body);
    return ok(await keys.create(principal, body));
  };
  return [
    defineRoute({
      ...making,
      path: '/api-keys',
      operationId: 'create_key',
      summary: 'Creates a service key. Its text is only in this response.',
      body: bodies.created,
      handle: ({ body }, context) => make(body, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/organisation/service',
      operationId: 'create_organisation_key',
      summary: 'Creates a service key that reaches all workspaces of the organisation.',
      body: { type: 'object', required: ['name', 'scopes'], properties: members },
      handle: ({ body }, context) => make({ ...body, kind: 'organisation' }, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/workspace/service',
      operationId: 'create_workspace_key',
      summary: 'Creates a service key of a workspace.',
      body: { type: 'object', required: ['name', 'scopes'], properties: inWorkspace },
      handle: ({ body }, context) => make({ ...body, kind: 'workspace-service' }, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/workspace/user',
      operationId: 'create_user_key',
      summary: 'Creates a service key of a user, whose requests have the label "_user".',
      body: { type: 'object', required: ['name', 'scopes', 'user_id'], properties: ofUser },
      handle: ({ body }, context) => make({ ...body, kind: 'workspace-user' }, context),
    }),
    defineRoute({
      method: 'GET',
      path: '/api-keys',
      operationId: 'list_keys',
      summary: 'Lists the service keys that your key can see, including revoked ones, newest first.',
      scope: 'keys.list',
      query: {
        type: 'object',
        properties: {
          ...searchedPageSchema('keys', ['name']).properties,
          workspace_id: { type: 'string', description: 'Only keys of the workspace with this id or slug.' },
          status: statusSchema,
          ids: idsSchema,
        },
      },
      replies: { 200: keyPageSchema },
      handle: async ({ query }, { principal }) => {
        rejectNulCharacters(query, 'query');
        return ok(await keys.list(principal, query));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api-keys/{id}',
      operationId: 'get_key',
      summary: 'Returns a service key in masked form.',
      scope: 'keys.read',
      replies: { 200: keySchema },
      replyHeaders: etagSchema,
      handle: async ({ params: { id } }, { principal }) => shownKey(await keys.get(principal, id)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api-keys/{id}',
      operationId: 'update_key',
      summary: 'Changes a service key. Absent members stay as they are; null removes a value.',
      scope: 'keys.update',
      headers: ifMatchSchema,
      body: bodies.changed,
      replies: { 200: keySchema },
      replyHeaders: etagSchema,
      handle: async ({ params: { id }, body }, { principal, headers }) => {
        rejectNulCharacters(body);
        return shownKey(await keys.update(principal, id, body, readIfMatch(headers)));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api-keys/{id}',
      operationId: 'revoke_key',
      summary: 'Revokes a service key permanently. Its record is kept.',
      scope: 'keys.delete',
      headers: ifMatchSchema,
      replies: { 200: nothingSchema },
      handle: async ({ params: { id } }, { principal, headers }) => {
        await keys.revoke(principal, id, readIfMatch(headers));
        return emptyReply;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/{id}/rotate',
      operationId: 'rotate_key',
      summary: 'Rotates a service key. The previous key is accepted for a while.',
      scope: 'keys.rotate',
      headers: ifMatchSchema,
      body: {
        type: 'object',
        properties: {
          key_transition_period_ms: {
            type: 'integer',
            description: 'How long the previous key is still accepted, in milliseconds: half an hour to a year.',
            default: 1_800_000,
          },
        },
      },
      replies: { 200: rotatedKeySchema },
      handle: async ({ params: { id }, body }, { principal, headers }) =>
        ok(await keys.rotate(principal, id, body, readIfMatch(headers))),
    }),
  ];
};
