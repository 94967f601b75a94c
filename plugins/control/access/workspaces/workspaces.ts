import { ownLimitMembers, ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { ownLimitsErrors } from '../../kernel/limits/own-limits.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { text } from '../../kernel/requests/replies.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { furtherMembers, settingsFlags, slugFlag } from '../../kernel/resource/flags.ts';
import { displayName, slug } from '../../kernel/resource/member.ts';
import { onlyOrganisation } from '../../kernel/resource/ownership.ts';
import { nameErrors } from '../keys/key-parts.ts';
import {
  configSchema,
  guardrailsSchema,
  judgedTurnsSchema,
  keepResponsesDaysSchema,
  keepResponsesSchema,
  metadataSchema,
} from './settings-schemas.ts';
import type { Content } from './workspace-rules.ts';

const settings = {
  type: 'object',
  description: 'What requests in the workspace have if they do not say it. What is absent stays.',
  properties: {
    metadata: metadataSchema,
    config: configSchema,
    input_guardrails: guardrailsSchema,
    output_guardrails: guardrailsSchema,
    judged_turns: judgedTurnsSchema,
    keep_responses: keepResponsesSchema,
    keep_responses_days: keepResponsesDaysSchema,
  },
} as const;

const fromFile = { file: { name: 'FILE', optional: true }, notes: furtherMembers('"settings"') } as const;

/** The workspaces of an organisation. One that has any of `contents` is not deleted. */
export const workspacesWith = (contents: readonly Content[]): Resource =>
  defineResource({
    noun: 'workspace',
    plural: 'workspaces',
    path: '/workspaces',
    command: 'workspaces',
    headline: 'Make workspaces, and change their settings.',
    summary: 'Make workspaces of the organisation, and change their settings.',
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
        if (verb !== 'update') onlyOrganisation(caller, `${verb === 'create' ? 'make' : 'delete'} workspaces`);
        else if (rate_limits !== undefined || usage_limits !== undefined)
          onlyOrganisation(caller, 'change the limits of a workspace');
      },
      validate: (body) => [
        ...(body.name === undefined ? [] : nameErrors(['name'], body.name)),
        ...ownLimitsErrors(body),
      ],
      prepare: async (parts, writes) => (await import('./workspace-rules.ts')).prepareWorkspace(parts, writes),
      beforeDelete: async (row, db, parts) =>
        (await import('./workspace-rules.ts')).emptyWorkspace(db, row, { parts, contents }),
      taken: (name) =>
        conflict(`Your organisation has a workspace "${name}" already.`, 'Use another slug, or leave it out.'),
    },
    answers: { create: 'name' },
    shown: ['slug', 'name'],
    summaries: {
      list: 'Lists the workspaces that your key reaches, the newest first.',
      get: 'A workspace, by id or slug.',
      delete: 'Deletes a workspace that has no service keys and nothing saved.',
    },
    commands: {
      list: { summary: 'Lists the workspaces that your key reaches.' },
      get: { summary: 'Shows a workspace and its settings.', route: 'GET /workspaces/{workspace}' },
      create: {
        flags: { ...settingsFlags, slug: slugFlag },
        shows: { as: 'said', text: 'The workspace is made: --workspace {slug} acts in it.' },
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
        shows: { as: 'said', text: 'The workspace {workspace} is deleted.' },
      },
    },
  });
