import type { Resource } from '../../kernel/resource/api-command.ts';
import { nameFlag, pagingFlags, slugFlag, versionDescriptionFlag, versionFlag } from '../../kernel/resource/flags.ts';

const fileNotes = 'FILE is the template as it is, and no JSON; - is standard input.';

/** `gw prompts partials`: what templates include. */
export const partials: Resource = {
  name: 'prompts partials',
  summary: 'Store partials, which the templates of prompts include as {{>SLUG}}.',
  commands: {
    list: {
      summary: 'Lists the partials.',
      route: 'GET /prompts/partials',
      flags: pagingFlags,
      shows: {
        as: 'table',
        columns: { SLUG: 'slug', NAME: 'name', PUBLISHED: 'published_version', CHANGED: 'last_updated_at' },
      },
    },
    get: {
      summary: 'Shows a partial: the published version, or that of SLUG@5 or SLUG@latest.',
      route: 'GET /prompts/partials/{slug}',
      shows: { as: 'record', text: 'string' },
    },
    create: {
      summary: 'Stores a partial. Its first version is published.',
      route: 'POST /prompts/partials',
      file: { name: 'FILE', format: 'text', member: 'string', nameAs: 'name' },
      flags: { name: nameFlag, slug: slugFlag, description: versionDescriptionFlag },
      shows: { as: 'said', text: 'The partial is stored: templates include it as {{>{slug}}}.' },
      notes: `${fileNotes}\nThe partial is called like its file where --name is not given.`,
    },
    update: {
      summary: 'Renames a partial, or makes a new version of it, which is not published yet.',
      route: 'PUT /prompts/partials/{slug}',
      file: { name: 'FILE', format: 'text', member: 'string', optional: true },
      flags: { name: nameFlag, description: versionDescriptionFlag },
      shows: {
        as: 'said',
        text: 'The partial {slug} is changed. A new version is published with gw prompts partials publish {slug} --version N',
      },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a partial that no prompt or partial in use names.',
      route: 'DELETE /prompts/partials/{slug}',
      shows: { as: 'said', text: 'The partial {slug} is deleted.' },
    },
    versions: {
      summary: 'Lists the versions of a partial.',
      route: 'GET /prompts/partials/{slug}/versions',
      flags: pagingFlags,
      shows: {
        as: 'table',
        columns: {
          ...{ VERSION: 'version', PUBLISHED: 'is_published', MADE: 'created_at' },
          DESCRIPTION: 'version_description',
        },
      },
    },
    publish: {
      summary: 'Makes a version the one that templates include which name none.',
      route: 'PUT /prompts/partials/{slug}/makeDefault',
      flags: { version: versionFlag },
      shows: { as: 'said', text: 'The version of the partial {slug} is published.' },
    },
  },
};
