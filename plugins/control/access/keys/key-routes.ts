import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { ownLimitMembers } from '../../kernel/limits/limit-members.ts';
import { pageSchema } from '../../kernel/records/paging.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { emptyReply, nothingSchema, ok, seconds } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { configFinder } from './config-finder.ts';
import type { NewKeyBody } from './key-bodies.ts';
import {
  defaultsSchema,
  keyPageSchema,
  keySchema,
  kindSchema,
  madeKeySchema,
  rotatedKeySchema,
  rotationPolicySchema,
  scopesSchema,
  statusSchema,
} from './key-replies.ts';
import { createKeyService, type KeyService } from './key-service.ts';
import type { Validated } from './validated.ts';
import { validatedResult } from './validated-result.ts';

const members = {
  name: { type: 'string' },
  organisation_id: { type: 'string', description: 'Your own organisation; another one is refused.' },
  scopes: scopesSchema,
  defaults: defaultsSchema,
  expires_at: seconds,
  rotation_policy: rotationPolicySchema,
  ...ownLimitMembers,
} as const;

const inWorkspace = {
  ...members,
  workspace_id: { type: 'string', description: 'An id or a slug; the workspace that the request acts in if absent.' },
} as const;

const ofUser = { ...inWorkspace, user_id: { type: 'string', description: 'The user whom the key is of.' } } as const;

const anyKey = {
  type: 'object',
  required: ['name', 'scopes'],
  properties: { ...ofUser, kind: { ...kindSchema, default: 'workspace-service' } },
} as const;

const organisationKey = { type: 'object', required: ['name', 'scopes'], properties: members } as const;
const serviceKey = { type: 'object', required: ['name', 'scopes'], properties: inWorkspace } as const;
const userKey = { type: 'object', required: ['name', 'scopes', 'user_id'], properties: ofUser } as const;

const making = { method: 'POST', scope: 'keys.create', replies: { 200: madeKeySchema } } as const;

/** The routes that make keys: one for any kind, and one for each. They are never run twice for an `idempotency-key`. */
const makingRoutes = (keys: KeyService): readonly ControlRoute[] => {
  const make = async (body: NewKeyBody, { principal }: RouteContext): Promise<JsonReply> => {
    rejectNulCharacters(body);
    const { object, id, key } = validatedResult(await keys.create(principal, body));
    return ok({ object, id, key });
  };
  return [
    defineRoute({
      ...making,
      path: '/api-keys',
      operationId: 'create_key',
      summary: 'Makes a service key. Its text is in this answer and nowhere else.',
      body: anyKey,
      handle: ({ body }, context) => make(body, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/organisation/service',
      operationId: 'create_organisation_key',
      summary: 'Makes a service key that reaches all workspaces of the organisation.',
      body: organisationKey,
      handle: ({ body }, context) => make({ ...body, kind: 'organisation' }, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/workspace/service',
      operationId: 'create_workspace_key',
      summary: 'Makes a service key of a workspace.',
      body: serviceKey,
      handle: ({ body }, context) => make({ ...body, kind: 'workspace-service' }, context),
    }),
    defineRoute({
      ...making,
      path: '/api-keys/workspace/user',
      operationId: 'create_user_key',
      summary: 'Makes a service key of a user, whose requests have the label "_user".',
      body: userKey,
      handle: ({ body }, context) => make({ ...body, kind: 'workspace-user' }, context),
    }),
  ];
};

const query = {
  type: 'object',
  properties: {
    ...pageSchema.properties,
    workspace_id: { type: 'string', description: 'Only keys of the workspace with this id or slug.' },
    status: statusSchema,
  },
} as const;

const nothing = { type: 'null' } as const;

const update = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    scopes: scopesSchema,
    defaults: defaultsSchema,
    expires_at: { anyOf: [seconds, nothing] },
    rotation_policy: { anyOf: [rotationPolicySchema, nothing] },
    ...ownLimitMembers,
  },
} as const;

const rotation = {
  type: 'object',
  properties: {
    key_transition_period_ms: {
      type: 'integer',
      description: 'How long the key before is still accepted, in milliseconds: half an hour to a year.',
      default: 1_800_000,
    },
  },
} as const;

const reply = (validated: Validated<object>, id?: string): JsonReply => ok(validatedResult(validated, id));

/** The routes of service keys. */
export const keyRoutes = (
  parts: Pick<ControlParts, 'store' | 'now' | 'overlay' | 'counters'>,
): readonly ControlRoute[] => {
  const keys = createKeyService({ ...parts, hasConfig: configFinder(parts) });
  return [
    ...makingRoutes(keys),
    defineRoute({
      method: 'GET',
      path: '/api-keys',
      operationId: 'list_keys',
      summary: 'Lists the service keys that yours can see, the newest first, revoked ones too.',
      scope: 'keys.list',
      query,
      replies: { 200: keyPageSchema },
      handle: async ({ query: asked }, { principal }) => {
        rejectNulCharacters(asked, 'query');
        return reply(await keys.list(principal, asked));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api-keys/{id}',
      operationId: 'get_key',
      summary: 'A service key, with its mask.',
      scope: 'keys.read',
      replies: { 200: keySchema },
      handle: async ({ params: { id } }, { principal }) => reply(await keys.get(principal, id), id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api-keys/{id}',
      operationId: 'update_key',
      summary: 'Changes a service key: what is absent stays, what is null is taken away.',
      scope: 'keys.update',
      body: update,
      replies: { 200: keySchema },
      handle: async ({ params: { id }, body }, { principal }) => {
        rejectNulCharacters(body);
        return reply(await keys.update(principal, id, body), id);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api-keys/{id}',
      operationId: 'revoke_key',
      summary: 'Revokes a service key for good. Its record stays.',
      scope: 'keys.delete',
      replies: { 200: nothingSchema },
      handle: async ({ params: { id } }, { principal }) => {
        validatedResult(await keys.revoke(principal, id), id);
        return emptyReply;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/{id}/rotate',
      operationId: 'rotate_key',
      summary: 'Gives a service key another text. The one before is accepted for a time.',
      scope: 'keys.rotate',
      body: rotation,
      replies: { 200: rotatedKeySchema },
      handle: async ({ params: { id }, body }, { principal }) => reply(await keys.rotate(principal, id, body), id),
    }),
  ];
};
