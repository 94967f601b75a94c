import { conflict } from '../../kernel/requests/refusals.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { displayName } from '../../kernel/resource/member.ts';

/** Collections, which group prompts. */
export const collections: Resource = defineResource({
  noun: 'collection',
  plural: 'collections',
  path: '/collections',
  command: 'prompts collections',
  summary: 'Create collections of prompts.',
  scope: 'prompts',
  owner: 'workspace',
  table: 'collections',
  members: { name: displayName() },
  max: 1000,
  rules: {
    async beforeDelete({ id, workspace_id, name }, db) {
      const { promptStore } = await import('./prompt-store.ts');
      const prompts = await promptStore.count(db, { workspace_id, collection_id: id });
      if (prompts > 0)
        throw conflict(
          `The collection "${name}" has prompts: ${prompts}.`,
          'Move them to another collection, or delete them.',
        );
    },
  },
  summaries: {
    create: 'Creates a collection for prompts.',
    update: 'Renames a collection.',
    delete: 'Deletes a collection that has no prompts.',
  },
});
