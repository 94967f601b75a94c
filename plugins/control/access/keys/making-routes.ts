import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { ownLimitMembers } from '../../kernel/limits/limit-members.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { ok, seconds } from '../../kernel/requests/replies.ts';
import type { NewKeyBody } from './key-bodies.ts';
import { defaultsSchema, kindSchema, rotationPolicySchema, scopesSchema } from './key-members.ts';
import { madeKeySchema } from './key-replies.ts';
import type { KeyService } from './key-service.ts';
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
export const makingRoutes = (keys: KeyService): readonly ControlRoute[] => {
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
