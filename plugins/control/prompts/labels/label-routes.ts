import type { JsonObject } from '../../../../schema/json.ts';
import { defineRoute } from '../../../sdk/define-route.ts';
import type { ParameterSchema } from '../../../sdk/from-schema.ts';
import type { AnyRouteRow } from '../../../sdk/route-row.ts';
import { slugSchema } from '../../saved/new-slug.ts';
import { pageOf, pageSchema } from '../../saved/paging.ts';
import { refuseZeros } from '../../saved/refuse-zeros.ts';
import {
  emptyReply,
  listOf,
  listReply,
  nothingSchema,
  ok,
  recordOf,
  seconds,
  text,
  textOrNull,
  titled,
} from '../../saved/replies.ts';
import { toSeconds } from '../../saved/to-seconds.ts';
import type { LabelRow } from '../../store/tables.ts';
import { callerOf } from '../caller-of.ts';
import type { LabelService } from './label-service.ts';

const name = {
  ...slugSchema,
  description: 'What references have behind the @: letters, digits, "-" and "_", and not only digits.',
} as const;
const description = { type: 'string', maxLength: 2000, description: 'For people.' } as const;
const colour = { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', description: 'For people: #rrggbb.' } as const;
const nothing = { type: 'null' } as const;

const labelSchema: ParameterSchema = titled(
  'Label',
  recordOf({
    object: { const: 'label' },
    ...{ id: text, name: text, description: textOrNull, colour: textOrNull, workspace_id: text },
    ...{ created_at: seconds, last_updated_at: seconds },
  }),
);

const labelView = ({ id, name: called, workspace_id, created_at, updated_at, ...about }: LabelRow): JsonObject => ({
  object: 'label',
  id,
  name: called,
  description: about.description,
  colour: about.colour,
  workspace_id,
  created_at: toSeconds(created_at),
  last_updated_at: toSeconds(updated_at),
});

/** The routes of labels. */
export const labelRoutes = (labels: LabelService): readonly AnyRouteRow[] => [
  defineRoute({
    method: 'POST',
    path: '/labels',
    operationId: 'create_label',
    summary: 'Makes a label, which versions of prompts can have.',
    scope: 'prompts.create',
    idempotent: true,
    body: { type: 'object', required: ['name'], properties: { name, description, colour } },
    replies: { 200: labelSchema },
    handle: async ({ body }, context) => {
      refuseZeros(body);
      return ok(labelView(await labels.create(callerOf(context, 'prompts.create'), body)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/labels',
    operationId: 'list_labels',
    summary: 'Lists labels, the newest first.',
    scope: 'prompts.list',
    query: pageSchema,
    replies: { 200: listOf(labelSchema) },
    handle: async ({ query }, context) => {
      const { total, rows } = await labels.list(callerOf(context, 'prompts.list'), pageOf(query));
      return listReply(total, rows.map(labelView));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/labels/{id}',
    operationId: 'get_label',
    summary: 'A label, by its id or name.',
    scope: 'prompts.read',
    replies: { 200: labelSchema },
    handle: async ({ params: { id } }, context) =>
      ok(labelView(await labels.get(callerOf(context, 'prompts.read'), id))),
  }),
  defineRoute({
    method: 'PUT',
    path: '/labels/{id}',
    operationId: 'update_label',
    summary: 'Changes a label: what is absent stays, what is null is taken away.',
    // References name the label, so that a new name changes what requests get.
    scope: 'prompts.publish',
    body: {
      type: 'object',
      properties: { name, description: { anyOf: [description, nothing] }, colour: { anyOf: [colour, nothing] } },
    },
    replies: { 200: labelSchema },
    handle: async ({ params: { id }, body }, context) => {
      refuseZeros(body);
      return ok(labelView(await labels.update(callerOf(context, 'prompts.publish'), id, body)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/labels/{id}',
    operationId: 'delete_label',
    summary: 'Deletes a label, and takes it from all versions.',
    scope: 'prompts.delete',
    replies: { 200: nothingSchema },
    handle: async ({ params: { id } }, context) => {
      await labels.remove(callerOf(context, 'prompts.delete'), id);
      return emptyReply;
    },
  }),
];
