import { gatewayError } from '../../../../schema/errors/errors.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { scopesSchema } from './key-bodies.ts';

const caller = titled(
  'Caller',
  objectSchema({
    object: { const: 'caller' },
    key_id: { ...textOrNull, description: 'The id of the service key; null for a token of an identity provider.' },
    organisation_id: text,
    workspace_id: { ...textOrNull, description: 'The workspace in which the request acts.' },
    workspace_slug: textOrNull,
    reach: { type: 'string', enum: ['workspace', 'organisation'], description: 'Where the caller may act.' },
    scopes: scopesSchema,
  }),
);

/** Creates the route by which callers learn what they may do. */
export const callerRoutes = ({ store }: Pick<ControlParts, 'store'>): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/caller',
    operationId: 'get_caller',
    summary: 'Returns who you are and what you may do.',
    scope: null,
    replies: { 200: caller },
    handle: async (_, { principal: { keyId = null, organisation, workspace = null, reach, scopes = [] } }) => {
      if (organisation === undefined) throw gatewayError('missing-scope', { scope: 'keys.read' });
      const row =
        workspace === null
          ? undefined
          : await store.db.selectFrom('workspaces').select('slug').where('id', '=', workspace).executeTakeFirst();
      return ok({
        ...{ object: 'caller', key_id: keyId, organisation_id: organisation },
        ...{ workspace_id: workspace, workspace_slug: row?.slug ?? null },
        ...{ reach: reach ?? 'workspace', scopes: [...scopes].sort() },
      });
    },
  }),
];
