import type { Display, MemberFlags, Resource } from '../engine/api-command.ts';
import { destinationFlags, furtherMembers, pagingFlags, slugFlag } from './flags.ts';

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

const models: Display = {
  as: 'table',
  rows: 'models',
  columns: { MODEL: 'slug', ENABLED: 'enabled', CUSTOM: 'is_custom', BASE: 'base_model_slug' },
  note: 'Whether other models may be called: {allow_all_models}.',
};

const fileNotes = furtherMembers('"models", "settings" and "credential"');

/** `gw integrations`: what the providers of several workspaces share. */
export const integrations: Resource = {
  name: 'integrations',
  summary: 'Save credentials that providers of several workspaces use, and the models that they may call.',
  commands: {
    list: {
      summary: 'Lists the integrations of the organisation, without their credentials.',
      route: 'GET /integrations',
      flags: pagingFlags,
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
    get: {
      summary: 'Shows an integration, with placeholders for its credential.',
      route: 'GET /integrations/{slug}',
      shows: { as: 'record' },
    },
    create: {
      summary: 'Saves an integration.',
      route: 'POST /integrations',
      file: { name: 'FILE', optional: true },
      flags: { ...changing, slug: slugFlag },
      shows: {
        as: 'said',
        text: 'The integration is saved as {slug}. A workspace uses it with gw providers create --integration {slug}.',
      },
      notes: fileNotes,
    },
    update: {
      summary: 'Changes an integration; what is not given stays.',
      route: 'PUT /integrations/{slug}',
      file: { name: 'FILE', optional: true },
      flags: changing,
      shows: { as: 'said', text: 'The integration {slug} is changed.' },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes an integration that has no providers.',
      route: 'DELETE /integrations/{slug}',
      shows: { as: 'said', text: 'The integration {slug} is deleted.' },
    },
    models: {
      summary: 'Lists the models of an integration.',
      route: 'GET /integrations/{slug}/models',
      shows: models,
    },
    'set-models': {
      summary: 'Replaces the list of the models of an integration.',
      route: 'PUT /integrations/{slug}/models',
      file: { name: 'FILE', member: 'models' },
      flags: otherModels,
      shows: models,
      notes: 'FILE is a JSON list, such as [{ "slug": "gpt-4o", "enabled": true }]; - is standard input.',
    },
  },
};
