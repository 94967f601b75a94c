import { ownLimitMembers, ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { nameTakenHint } from '../../kernel/requests/refusals.ts';
import { objectSchema, orNull, text } from '../../kernel/requests/replies.ts';
import type { Display, MemberFlags } from '../../kernel/resource/api-command.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { destinationFlags, furtherMembers, slugFlag } from '../../kernel/resource/flags.ts';
import { displayName, slug } from '../../kernel/resource/member.ts';
import {
  destinationProperties,
  destinationReplies,
  furtherReplies,
  slugParams,
  slugTaken,
} from '../destinations/destination-body.ts';
import { modelProblems } from './integration-models.ts';

/** The members of bodies that specify which models may be called. */
export const modelMembers = {
  models: {
    type: 'array',
    maxItems: 10_000,
    items: {
      type: 'object',
      required: ['slug', 'enabled'],
      properties: {
        slug: { type: 'string', minLength: 1, maxLength: 255 },
        enabled: { type: 'boolean', description: 'Whether the model may be called.' },
        is_custom: { type: 'boolean' },
        is_finetune: { type: 'boolean' },
        base_model_slug: { type: 'string', minLength: 1, maxLength: 255 },
        pricing_config: {
          type: 'object',
          additionalProperties: true,
          description:
            'Prices in US cents per unit, as { pay_as_you_go: { request_token: { price } } }, and likewise batch_config; fixed_cost; and multiplier. Without pay_as_you_go, tokens cost their public prices, which multiplier multiplies, and fixed_cost is added.',
        },
      },
    },
  },
  allow_all_models: { type: 'boolean', description: 'Whether models that are not listed may be called.' },
} as const;

const workspaces = {
  type: 'array',
  items: { type: 'string' },
  description: 'The ids or slugs of the workspaces that may use it; null: all.',
} as const;

const workspace_limits = {
  type: 'array',
  maxItems: 1000,
  description: 'The limits that the providers of single workspaces share, replacing the current ones.',
  items: {
    type: 'object',
    required: ['workspace_id'],
    properties: { workspace_id: { type: 'string', description: 'An id or a slug.' }, ...ownLimitMembers },
  },
} as const;

const otherModels: MemberFlags = {
  'other-models': {
    form: 'choice',
    member: 'allow_all_models',
    describe: 'Whether models that are not listed may be called.',
  },
};

const changing: MemberFlags = {
  ...destinationFlags,
  workspaces: {
    form: 'list',
    value: 'A,B',
    none: 'all',
    describe: 'The ids or slugs of the workspaces that may use it, or all.',
  },
  ...otherModels,
};

const shownModels: Display = {
  as: 'table',
  rows: 'models',
  columns: { MODEL: 'slug', ENABLED: 'enabled', CUSTOM: 'is_custom', BASE: 'base_model_slug' },
  note: 'Whether other models may be called: {allow_all_models}.',
};

const fromFile = {
  file: { name: 'FILE', optional: true },
  notes: furtherMembers('"models", "settings", "credential", "keys" and "tls"'),
} as const;

/** The resource of integrations, which contain what the providers of several workspaces share. */
export const integrations: Resource = defineResource({
  noun: 'integration',
  plural: 'integrations',
  path: '/integrations',
  command: 'integrations',
  summary: 'Save credentials that providers of several workspaces use, and the models that they may call.',
  headline: 'Save credentials that several workspaces use.',
  owner: 'organisation',
  table: 'integrations',
  members: { name: displayName(), slug: slug({ description: slugSchema.description }) },
  hidden: [
    ...(['provider', 'settings', 'credential', 'origins', 'tls'] as const),
    ...(['models', 'allow_all_models', 'workspaces', 'workspace_limits'] as const),
  ],
  inputs: {
    ...modelMembers,
    workspaces: orNull(workspaces),
    workspace_limits: orNull(workspace_limits),
    ...destinationProperties,
  },
  requires: ['provider'],
  view: {
    schema: {
      ...destinationReplies,
      allow_all_models: { type: 'boolean' },
      workspaces: orNull({ type: 'array', items: text }),
      workspace_limits: { type: 'array', items: objectSchema({ workspace_id: text, ...ownLimitReplies }) },
    },
    optional: furtherReplies,
    show: async (rows, about) => (await import('./integration-rules.ts')).showIntegrations(rows, about),
  },
  secrets: async (row) => (await import('./integration-rules.ts')).integrationSecrets(row),
  naming: 'slug',
  params: slugParams,
  max: 10_000,
  feeds: { create: 'plans', update: 'plans', delete: 'plans' },
  visible: (where, tenant) =>
    // The column is a JSON list of ids, or null for all workspaces.
    where.or([where('workspaces', 'is', null), where('workspaces', 'like', `%"${tenant}"%`)]),
  rules: {
    validate: ({ models = [] }) => modelProblems(models),
    prepare: async (parts, writes) => (await import('./integration-rules.ts')).prepareIntegration(parts, writes),
    beforeDelete: async (row, db) => (await import('./integration-rules.ts')).refuseUsedIntegration(row, db),
    taken: (taken) =>
      slugTaken(
        taken,
        'an integration of the organisation',
        nameTakenHint('slug', { noun: 'integration', path: '/integrations', name: taken }),
      ),
  },
  answers: { create: 'reference', update: 'reference' },
  summaries: {
    create: 'Saves an integration: a credential that providers of several workspaces use.',
    list: 'The integrations of the organisation that the key may use, the newest first.',
    get: 'An integration, with placeholders for its secrets.',
    update: 'Changes an integration. Absent members stay as they are.',
    delete: 'Deletes an integration that has no providers.',
  },
  commands: {
    list: {
      summary: 'Lists the integrations of the organisation, without their credentials.',
      shows: {
        as: 'table',
        columns: {
          SLUG: 'slug',
          NAME: 'name',
          PROVIDER: 'provider',
          WORKSPACES: 'workspaces',
          CHANGED: 'last_updated_at',
        },
      },
    },
    get: { summary: 'Shows an integration, with placeholders for its credential.' },
    create: {
      summary: 'Saves an integration.',
      flags: { ...changing, slug: slugFlag },
      shows: {
        as: 'said',
        text: 'The integration was saved as {slug}. A workspace uses it with gw providers create --integration {slug}.',
      },
      ...fromFile,
    },
    update: { summary: 'Changes an integration; what is not given stays.', flags: changing, ...fromFile },
  },
  furtherCommands: {
    models: {
      summary: 'Lists the models of an integration.',
      route: 'GET /integrations/{slug}/models',
      shows: shownModels,
    },
    'set-models': {
      summary: 'Replaces the list of the models of an integration.',
      route: 'PUT /integrations/{slug}/models',
      file: { name: 'FILE', member: 'models' },
      flags: otherModels,
      shows: shownModels,
      notes: 'FILE is a JSON list, such as [{ "slug": "gpt-4o", "enabled": true }]; - is standard input.',
    },
  },
});
