import type { MemberFlags, Resource } from '../engine/api-command.ts';
import { nameFlag, pagingFlags } from './flags.ts';

const members: MemberFlags = { name: nameFlag };

/** `gw prompts collections`: what prompts are arranged in. */
export const collections: Resource = {
  name: 'prompts collections',
  summary: 'Make collections, which prompts are arranged in.',
  commands: {
    list: {
      summary: 'Lists the collections.',
      route: 'GET /collections',
      flags: pagingFlags,
      shows: { as: 'table', columns: { ID: 'id', NAME: 'name', CHANGED: 'last_updated_at' } },
    },
    get: { summary: 'Shows a collection.', route: 'GET /collections/{id}', shows: { as: 'record' } },
    create: {
      summary: 'Makes a collection.',
      route: 'POST /collections',
      flags: members,
      shows: { as: 'said', text: 'The collection is made ({id}).' },
    },
    update: {
      summary: 'Renames a collection.',
      route: 'PUT /collections/{id}',
      flags: members,
      shows: { as: 'said', text: 'The collection {id} is called {name}.' },
    },
    delete: {
      summary: 'Deletes a collection that has no prompts.',
      route: 'DELETE /collections/{id}',
      shows: { as: 'said', text: 'The collection {id} is deleted.' },
    },
  },
};
