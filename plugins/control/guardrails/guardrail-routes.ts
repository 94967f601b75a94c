import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { defineRoute } from '../../sdk/define-route.ts';
import type { KeyScope } from '../../sdk/exchange.ts';
import type { ParameterSchema } from '../../sdk/from-schema.ts';
import type { AnyRouteRow, JsonReply, RouteContext } from '../../sdk/route-row.ts';
import type { ControlParts } from '../control-parts.ts';
import { toSeconds } from '../keys/key-view.ts';
import { acting } from '../saved/acting.ts';
import { actingIn } from '../saved/named-workspace.ts';
import { slugSchema } from '../saved/new-slug.ts';
import { pageOf, pageSchema } from '../saved/paging.ts';
import { refuseZeros } from '../saved/refuse-zeros.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { createGuardrailService, type GuardrailCaller } from './guardrail-service.ts';

const name = { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } as const;

const checks = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  description: 'What is checked, in this order where the actions say `sequential`.',
  items: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, description: 'The check, as its plugin names it: `default.contains`.' },
      parameters: {
        type: 'object',
        additionalProperties: true,
        default: {},
        description:
          'Those of the check, `failOnError` and `timeout`. Secrets are sealed, and read back as placeholders.',
      },
    },
  },
} as const;

const outcome = {
  type: 'object',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446).' },
    feedback: {
      type: 'object',
      description: 'A mark that is kept with the request.',
      properties: {
        value: { type: 'number' },
        weight: { type: 'number' },
        metadata: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;

const actions = {
  type: 'object',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446) when a check fails.' },
    async: { type: 'boolean', description: 'Run in the background: the answer does not wait.' },
    sequential: { type: 'boolean', description: 'One check after another, and no more once one fails.' },
    on_fail: { ...outcome, description: 'What follows when the checks fail.' },
    on_success: { ...outcome, description: 'What follows when the checks pass.' },
  },
} as const;

const created = {
  type: 'object',
  required: ['name', 'checks'],
  properties: {
    name,
    checks,
    actions: { ...actions, default: {} },
    slug: { ...slugSchema, description: 'What configs name it by; made of the name where absent.' },
    scope: {
      type: 'string',
      enum: ['workspace', 'organisation'],
      default: 'workspace',
      description: 'Whose it is: one of the organisation can be named in all of its workspaces.',
    },
    workspace_id: { type: 'string', description: 'The id or slug of its workspace; that of the request where absent.' },
  },
} as const;

const changed = { type: 'object', properties: { name, checks, actions } } as const;

const text = { type: 'string' } as const;
const open = { type: 'object', additionalProperties: true } as const;

const closed = (properties: { readonly [member: string]: ParameterSchema }): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

const head = {
  object: { type: 'string', const: 'guardrail' },
  id: text,
  slug: text,
  name: text,
  scope: { type: 'string', enum: ['workspace', 'organisation'] },
  organisation_id: text,
  workspace_id: { anyOf: [text, { type: 'null' }] },
  created_at: { type: 'integer', description: 'Seconds since the epoch.' },
  last_updated_at: { type: 'integer', description: 'Seconds since the epoch.' },
} as const;

const guardrailReply = closed({ ...head, checks: { type: 'array', items: open }, actions: open });

const savedReply = closed({ object: { type: 'string', const: 'guardrail' }, id: text, slug: text });

const listReply = closed({
  object: { type: 'string', const: 'list' },
  total: { type: 'integer' },
  data: { type: 'array', items: closed(head) },
});

const headView = (row: GuardrailRow): JsonObject => ({
  object: 'guardrail',
  id: row.id,
  slug: row.slug,
  name: row.name,
  scope: row.workspace_id === null ? 'organisation' : 'workspace',
  organisation_id: row.organisation_id,
  workspace_id: row.workspace_id,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

const view = (row: GuardrailRow): JsonObject => ({
  ...headView(row),
  checks: JSON.parse(row.checks) as Json,
  actions: JSON.parse(row.actions) as Json,
});

const ok = (body: JsonObject): JsonReply => ({ status: 200, body });

const saved = ({ id, slug }: GuardrailRow): JsonReply => ok({ object: 'guardrail', id, slug });

/** What the validator has seen to be JSON. */
const toJson = (value: object): JsonObject => (isJsonObject(value as Json) ? (value as JsonObject) : {});

const callerOf = (context: RouteContext, scope: KeyScope): GuardrailCaller => ({
  ...acting(context, scope),
  reach: context.principal.reach,
});

/** The routes of saved guardrails. */
export const guardrailRoutes = (parts: ControlParts): readonly AnyRouteRow[] => {
  const { store } = parts;
  const guardrails = createGuardrailService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/guardrails',
      operationId: 'create_guardrail',
      summary: 'Saves a guardrail for configs to name.',
      scope: 'guardrails.create',
      idempotent: true,
      body: created,
      replies: { 200: savedReply },
      handle: async ({ body }, context) => {
        refuseZeros(body);
        const { workspace_id, actions: wanted, ...rest } = body;
        const caller = callerOf(context, 'guardrails.create');
        const where = await actingIn(caller, workspace_id, { store, principal: context.principal });
        return saved(await guardrails.create({ ...caller, ...where }, { ...rest, actions: toJson(wanted) }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/guardrails',
      operationId: 'list_guardrails',
      summary: 'Lists the guardrails of the workspace and of its organisation without their checks, the newest first.',
      scope: 'guardrails.list',
      query: pageSchema,
      replies: { 200: listReply },
      handle: async ({ query }, context) => {
        const { total, rows } = await guardrails.list(callerOf(context, 'guardrails.list'), pageOf(query));
        return ok({ object: 'list', total, data: rows.map(headView) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/guardrails/{slug}',
      operationId: 'get_guardrail',
      summary: 'A saved guardrail, by its slug or id.',
      scope: 'guardrails.read',
      replies: { 200: guardrailReply },
      handle: async ({ params: { slug } }, context) =>
        ok(view(await guardrails.get(callerOf(context, 'guardrails.read'), slug))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/guardrails/{slug}',
      operationId: 'update_guardrail',
      summary: 'Changes a saved guardrail; members that are absent stay as they are.',
      scope: 'guardrails.update',
      body: changed,
      replies: { 200: savedReply },
      handle: async ({ params: { slug }, body }, context) => {
        refuseZeros(body);
        const { actions: wanted, ...rest } = body;
        const change = { ...rest, ...(wanted === undefined ? {} : { actions: toJson(wanted) }) };
        return saved(await guardrails.update(callerOf(context, 'guardrails.update'), slug, change));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/guardrails/{slug}',
      operationId: 'delete_guardrail',
      summary: 'Deletes a saved guardrail, unless something names it.',
      scope: 'guardrails.delete',
      replies: { 200: { type: 'object', additionalProperties: false, properties: {} } },
      handle: async ({ params: { slug } }, context) => {
        await guardrails.remove(callerOf(context, 'guardrails.delete'), slug);
        return ok({});
      },
    }),
  ];
};
