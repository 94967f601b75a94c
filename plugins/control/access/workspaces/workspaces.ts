import { ownLimitMembers, ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { ownLimitsErrors } from '../../kernel/limits/own-limits.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { conflict, nameTakenHint } from '../../kernel/requests/refusals.ts';
import { text } from '../../kernel/requests/replies.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { furtherMembers, settingsFlags, slugFlag } from '../../kernel/resource/flags.ts';
import { displayName, slug } from '../../kernel/resource/member.ts';
import { onlyOrganisation } from '../../kernel/resource/ownership.ts';
import type { Content } from './workspace-rules.ts';

const guardrails = {
  description: 'Guardrails that run on every request, by slug or id.',
  anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 100 }, { type: 'null' }],
} as const;

/** The settings that organisations and workspaces have in common; null removes one. */
export const sharedSettings = {
  metadata: {
    description: 'Labels of requests. They override those of a key and of the request itself.',
    anyOf: [{ type: 'object', additionalProperties: { type: 'string' }, maxProperties: 100 }, { type: 'null' }],
  },
  config: {
    description: 'The config for requests that name neither a config nor a provider.',
    anyOf: [{ type: 'string' }, { type: 'null' }],
  },
  input_guardrails: guardrails as typeof guardrails,
  output_guardrails: guardrails as typeof guardrails,
  judged_turns: {
    description:
      'The turns of a request that guardrails judge: those since the last answer, or every one with `all`, because a caller can invent an earlier answer. Lower levels cannot undo `all`.',
    anyOf: [{ type: 'string', enum: ['new', 'all'] }, { type: 'null' }],
  },
} as const;

const settings = {
  type: 'object',
  description: 'Settings for requests in the workspace that do not specify them. Absent members stay as they are.',
  properties: {
    ...sharedSettings,
    keep_responses: {
      description:
        'Whether responses are kept if the request does not set `store`. Absent: they are not, but items that translated answers name are kept for a day, so that later requests can refer to them. False: such items are kept only in memory.',
      anyOf: [{ type: 'boolean' }, { type: 'null' }],
    },
    keep_responses_days: {
      description:
        'For how many days responses are kept, counted from the last response that continues them; 30 if absent.',
      anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }],
    },
  },
} as const;

const fromFile = { file: { name: 'FILE', optional: true }, notes: furtherMembers('"settings"') } as const;

/** Describes the workspaces of an organisation. A workspace that contains any of `contents` cannot be deleted. */
export const workspacesWith = (contents: readonly Content[]): Resource =>
  defineResource({
    noun: 'workspace',
    plural: 'workspaces',
    path: '/workspaces',
    command: 'workspaces',
    headline: 'Create workspaces, and change their settings.',
    summary: 'Create workspaces of the organisation, and change their settings.',
    owner: 'organisation',
    table: 'workspaces',
    members: {
      name: { ...displayName(), schema: { type: 'string', description: 'For people.' } },
      slug: { ...slug({ description: slugSchema.description }), shown: slugSchema },
    },
    hidden: ['settings', 'limits'],
    inputs: { settings, ...ownLimitMembers },
    view: {
      schema: { settings, ...ownLimitReplies },
      show: async (rows, { parts }) => (await import('./workspace-rules.ts')).showWorkspaces(rows, parts.now()),
    },
    naming: 'slug',
    params: { type: 'object', properties: { workspace: text } },
    max: 100_000,
    visible: (where, tenant) => where('id', '=', tenant),
    rules: {
      authorise(caller, verb, { rate_limits, usage_limits }) {
        if (verb !== 'update') onlyOrganisation(caller, `${verb === 'create' ? 'create' : 'delete'} workspaces`);
        else if (rate_limits !== undefined || usage_limits !== undefined)
          onlyOrganisation(caller, 'change the limits of a workspace');
      },
      validate: (body) => ownLimitsErrors(body),
      prepare: async (parts, writes) => (await import('./workspace-rules.ts')).prepareWorkspace(parts, writes),
      beforeDelete: async (row, db, parts) =>
        (await import('./workspace-rules.ts')).emptyWorkspace(db, row, { parts, contents }),
      taken: (name) =>
        conflict(
          `Your organisation already has a workspace "${name}".`,
          nameTakenHint('slug', { noun: 'workspace', path: '/workspaces', name }),
        ),
    },
    answers: { create: 'name' },
    shown: ['slug', 'name'],
    summaries: {
      list: 'Lists the workspaces that your key can access, newest first.',
      get: 'Returns a workspace, by its id or slug.',
      delete: 'Deletes a workspace that has no service keys and nothing saved.',
    },
    commands: {
      list: { summary: 'Lists the workspaces that your key reaches.' },
      get: { summary: 'Shows a workspace and its settings.', route: 'GET /workspaces/{workspace}' },
      create: {
        flags: { ...settingsFlags, slug: slugFlag },
        shows: { as: 'said', text: 'The workspace was created. Use --workspace {slug} to act in it.' },
        ...fromFile,
      },
      update: {
        summary: 'Changes a workspace; what is not given stays.',
        route: 'PUT /workspaces/{workspace}',
        flags: settingsFlags,
        ...fromFile,
      },
      delete: {
        route: 'DELETE /workspaces/{workspace}',
        shows: { as: 'said', text: 'The workspace {workspace} was deleted.' },
      },
    },
  });
