import type { BodyFile, MemberFlags, Resource } from '../../kernel/resource/api-command.ts';
import {
  listFlags,
  nameFlag,
  searchFlags,
  slugFlag,
  versionDescriptionFlag,
  versionFlag,
} from '../../kernel/resource/flags.ts';
import { versionedNames } from '../../kernel/resource/versioned-names.ts';

const templateNotes = 'FILE is the plain template, not JSON; - is standard input.';

/** `gw prompts partials`: what templates include. */
const partials: Resource = {
  name: 'prompts partials',
  summary: 'Store partials, which the templates of prompts include as {{>SLUG}}.',
  commands: {
    list: {
      summary: 'Lists the partials.',
      route: 'GET /prompts/partials',
      flags: searchFlags('partials', versionedNames),
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
      shows: { as: 'said', text: 'The partial was stored: templates include it as {{>{slug}}}.' },
      notes: `${templateNotes}\nWithout --name, the partial has the name of its file.`,
    },
    update: {
      summary: 'Renames a partial, or creates a new version of it, which is not published yet.',
      route: 'PUT /prompts/partials/{slug}',
      file: { name: 'FILE', format: 'text', member: 'string', optional: true },
      flags: { name: nameFlag, description: versionDescriptionFlag },
      shows: {
        as: 'said',
        text: 'The partial {slug} was updated. Publish a new version: gw prompts partials publish {slug} --version N',
      },
      notes: templateNotes,
    },
    delete: {
      summary: 'Deletes a partial that no prompt or partial in use includes.',
      route: 'DELETE /prompts/partials/{slug}',
      shows: { as: 'said', text: 'The partial {slug} was deleted.' },
    },
    versions: {
      summary: 'Lists the versions of a partial.',
      route: 'GET /prompts/partials/{slug}/versions',
      flags: listFlags,
      shows: {
        as: 'table',
        columns: {
          ...{ VERSION: 'version', PUBLISHED: 'is_published', MADE: 'created_at' },
          DESCRIPTION: 'version_description',
        },
      },
    },
    publish: {
      summary: 'Publishes a version: templates that name no version include it.',
      route: 'PUT /prompts/partials/{slug}/makeDefault',
      flags: { version: versionFlag },
      shows: { as: 'said', text: 'The version of the partial {slug} was published.' },
    },
  },
};

const fileNotes =
  'FILE is the request as JSON: "string" (the template), "parameters", "model" and so on; - is standard input.';

const variablesFile: BodyFile = { name: 'FILE', optional: true, member: 'variables' };

const rendering: MemberFlags = {
  variable: {
    form: 'pair',
    member: 'variables',
    value: 'NAME=TEXT',
    describe: 'A variable of the template; repeat the flag for more.',
  },
  model: { value: 'MODEL', describe: "A model to use instead of the prompt's." },
};

const variableNotes = [
  'SLUG is the published version; SLUG@2, SLUG@latest and SLUG@LABEL are others. FILE has variables that are not texts, as a',
  'JSON object; - is standard input.',
].join('\n');

/** `gw prompts`: stored prompts. */
export const prompts: Resource = {
  name: 'prompts',
  headline: 'Store prompts, publish, render and run them; partials, labels and collections.',
  summary: 'Store prompts on a gateway, publish their versions, render and run them.',
  commands: {
    list: {
      summary: 'Lists the stored prompts.',
      route: 'GET /prompts',
      flags: {
        ...searchFlags('prompts', versionedNames),
        collection: {
          in: 'query',
          known: { saved: '/collections' },
          member: 'collection_id',
          value: 'ID',
          describe: 'Only the prompts of this collection.',
        },
      },
      shows: {
        as: 'table',
        columns: {
          ...{ SLUG: 'slug', NAME: 'name', PUBLISHED: 'published_version' },
          ...{ CHANGED: 'last_updated_at', ID: 'id' },
        },
      },
    },
    get: {
      summary: 'Shows a prompt: the published version, or that of SLUG@2, SLUG@latest or SLUG@LABEL.',
      route: 'GET /prompts/{slug}',
      shows: { as: 'record', text: 'string' },
    },
    create: {
      summary: 'Stores a prompt. Its first version is published.',
      route: 'POST /prompts',
      file: { name: 'FILE' },
      flags: {
        name: nameFlag,
        slug: slugFlag,
        collection: { member: 'collection_id', value: 'ID', describe: 'The collection that it belongs to.' },
        description: versionDescriptionFlag,
      },
      shows: { as: 'said', text: 'The prompt was stored as {slug} ({id}).' },
      notes: fileNotes,
    },
    update: {
      summary: 'Creates a new version of a prompt, which is not published yet.',
      route: 'PUT /prompts/{slug}',
      file: { name: 'FILE' },
      flags: {
        patch: { form: 'yes', describe: 'Keep the members that FILE omits.' },
        name: nameFlag,
        collection: {
          member: 'collection_id',
          value: 'ID',
          none: 'none',
          describe: 'The collection that it belongs to, or none.',
        },
        description: versionDescriptionFlag,
      },
      shows: {
        as: 'said',
        text: 'The prompt {slug} has a new version. Publish it: gw prompts publish {slug} --version N',
      },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a prompt with all its versions.',
      route: 'DELETE /prompts/{slug}',
      shows: { as: 'said', text: 'The prompt {slug} was deleted.' },
    },
    versions: {
      summary: 'Lists the versions of a prompt.',
      route: 'GET /prompts/{slug}/versions',
      flags: listFlags,
      shows: {
        as: 'table',
        columns: {
          ...{ VERSION: 'version', PUBLISHED: 'is_published', LABELS: 'labels' },
          ...{ MADE: 'created_at', DESCRIPTION: 'version_description' },
        },
      },
    },
    publish: {
      summary: 'Publishes a version: requests that name no version use it.',
      route: 'PUT /prompts/{slug}/makeDefault',
      flags: { version: versionFlag },
      shows: { as: 'said', text: 'The version of the prompt {slug} was published.' },
    },
    label: {
      summary: 'Moves a label to a version.',
      route: 'PUT /prompts/{slug}/labels',
      flags: {
        label: { value: 'NAME', describe: 'The label. Create it with gw prompts labels create.' },
        version: { ...versionFlag, none: 'none', describe: 'The number of the version; none removes the label.' },
      },
      shows: { as: 'said', text: 'Requests for {slug}@{label} use the version: {version}.' },
    },
    render: {
      summary: 'Renders a prompt with these variables. No model is called.',
      route: 'POST /prompts/{slug}/render',
      file: variablesFile,
      flags: rendering,
      defaults: { variables: {} },
      shows: { as: 'json' },
      notes: variableNotes,
    },
    run: {
      summary: 'Sends a prompt with these variables to its model, and prints the answer as it arrives.',
      route: 'POST /prompts/{slug}/completions',
      file: variablesFile,
      flags: {
        ...rendering,
        config: { in: 'header', member: 'x-gw-config', value: 'SLUG', describe: 'The config that routes the request.' },
      },
      defaults: { variables: {} },
      shows: { as: 'completion' },
      notes: variableNotes,
    },
  },
  parts: { partials },
};
