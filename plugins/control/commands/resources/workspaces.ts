import type { Resource } from '../engine/api-command.ts';
import { furtherMembers, pagingFlags, settingsFlags, slugFlag } from './flags.ts';

const fileNotes = furtherMembers('"settings"');

/** `gw workspaces`: the workspaces of an organisation. */
export const workspaces: Resource = {
  name: 'workspaces',
  headline: 'Make workspaces, and change their settings.',
  summary: 'Make workspaces of the organisation, and change their settings.',
  commands: {
    list: {
      summary: 'Lists the workspaces that your key reaches.',
      route: 'GET /workspaces',
      flags: pagingFlags,
      shows: { as: 'table', columns: { SLUG: 'slug', NAME: 'name', CHANGED: 'last_updated_at', ID: 'id' } },
    },
    get: {
      summary: 'Shows a workspace and its settings.',
      route: 'GET /workspaces/{workspace}',
      shows: { as: 'record' },
    },
    create: {
      summary: 'Makes a workspace.',
      route: 'POST /workspaces',
      file: { name: 'FILE', optional: true },
      flags: { ...settingsFlags, slug: slugFlag },
      shows: { as: 'said', text: 'The workspace is made: --workspace {slug} acts in it.' },
      notes: fileNotes,
    },
    update: {
      summary: 'Changes a workspace; what is not given stays.',
      route: 'PUT /workspaces/{workspace}',
      file: { name: 'FILE', optional: true },
      flags: settingsFlags,
      shows: { as: 'said', text: 'The workspace {slug} is changed.' },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a workspace that has no service keys and nothing saved.',
      route: 'DELETE /workspaces/{workspace}',
      shows: { as: 'said', text: 'The workspace {workspace} is deleted.' },
    },
  },
};
