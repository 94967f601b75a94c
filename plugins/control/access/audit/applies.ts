import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { json, slug } from '../../kernel/resource/member.ts';

const records = {
  type: 'object',
  description: 'The records that it has created or taken over: for each folder, by the name of the file.',
  additionalProperties: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id of the record; absent if it is about to be created.' },
        adopted: { type: 'boolean', description: 'Whether the record already existed, so that it is never deleted.' },
      },
    },
  },
} as const;

/** The records that were created from folders of files, by the name of the folder. `gw apply --prune` deletes nothing else. */
export const applies: Resource = defineResource({
  noun: 'apply',
  plural: 'applies',
  path: '/applies',
  command: 'applies',
  headline: 'List what gw apply has created.',
  summary: 'List what folders have created with gw apply, which deletes nothing else.',
  owner: 'either',
  table: 'applies',
  members: {
    slug: slug({ description: 'The name of the folder in gatewright.json.' }),
    records: json(records, { initial: {} }),
  },
  naming: 'slug',
  max: 1000,
  // Enough for ten thousand records, whose names may be long.
  maxBytes: 8 * 1024 * 1024,
  // Those of the organisation name records of other workspaces.
  visible: (where, tenant) => where('workspace_id', '=', tenant),
  shown: ['slug', 'scope'],
  answers: { create: 'name', update: 'name' },
  summaries: {
    create: 'Starts to record what a folder creates.',
    list: 'Lists the folders that were applied, the newest first.',
    get: 'A folder that was applied, with what it has created.',
    update: 'Records what a folder has created.',
    delete: 'Forgets which records a folder created. The records stay.',
  },
  commands: {
    get: { shows: { as: 'record', text: 'records' } },
    update: {
      file: { name: 'FILE', member: 'records' },
      notes: 'FILE is a JSON object of what "gw applies get" shows as "records"; - is standard input.',
    },
  },
});
