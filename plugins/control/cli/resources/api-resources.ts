import type { MemberFlags, Resource } from '../../kernel/resource/api-command.ts';
import { listFlags, nameFlag, searchFlags, slugFlag } from '../../kernel/resource/flags.ts';
import { resourceCommands } from '../../kernel/resource/resource-commands.ts';
import { versionedNames } from '../../kernel/resource/versioned-names.ts';
import { resources } from '../../resources.ts';
import { keys, organisation } from './keys.ts';
import { logs } from './logs.ts';
import { policies } from './policies.ts';
import { prompts } from './prompts.ts';

const saving: MemberFlags = {
  name: nameFlag,
  default: {
    form: 'yes',
    member: 'is_default',
    describe: 'Use it for requests of the workspace without a config.',
  },
  'dry-run': {
    form: 'yes',
    in: 'query',
    member: 'dry_run',
    describe: 'Report what is wrong with it and its maximum cost, without saving it.',
  },
};

const fileNotes =
  'FILE is a config, with or without comments; - is standard input. Errors are reported with line numbers.';

/** `gw configs`: saved configs. */
const configs: Resource = {
  name: 'configs',
  headline: 'Save configs, in versions.',
  summary: 'Save routing configs on a gateway, and list their versions.',
  commands: {
    list: {
      summary: 'Lists the saved configs.',
      route: 'GET /configs',
      flags: {
        ...searchFlags('configs', versionedNames),
        default: {
          form: 'choice',
          in: 'query',
          member: 'is_default',
          describe: 'Only the default config, or only the others.',
        },
      },
      shows: {
        as: 'table',
        columns: { SLUG: 'slug', NAME: 'name', DEFAULT: 'is_default', CHANGED: 'last_updated_at' },
      },
    },
    get: {
      summary: 'Shows a saved config, with placeholders for its secrets.',
      route: 'GET /configs/{slug}',
      shows: { as: 'record', text: 'config' },
      alone: 'config',
      notes:
        'gw configs get SLUG --format config > FILE writes the config into a file, which gw configs update SLUG FILE\nsaves. A placeholder in it stands for the secret that is stored.',
    },
    create: {
      summary: 'Saves a new config.',
      route: 'POST /configs',
      file: { name: 'FILE', member: 'config', nameAs: 'name' },
      flags: { ...saving, slug: slugFlag },
      shows: { as: 'said', text: 'The config was saved as {slug}.' },
      notes: `${fileNotes}\nWithout --name, the config has the name of its file.`,
    },
    update: {
      summary: 'Saves a new version of a config, which is used immediately.',
      route: 'PUT /configs/{slug}',
      file: { name: 'FILE', member: 'config' },
      flags: saving,
      shows: { as: 'said', text: 'The config {slug} was saved and is in service.' },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a config with all its versions.',
      route: 'DELETE /configs/{slug}',
      shows: { as: 'said', text: 'The config {slug} was deleted.' },
    },
    diff: {
      summary: 'Shows what changes for requests from one version of a config to another.',
      route: 'GET /configs/{slug}/diff',
      flags: {
        before: {
          form: 'number',
          in: 'query',
          value: 'N',
          describe: 'A version; the one before the other if absent.',
        },
        after: { form: 'number', in: 'query', value: 'N', describe: 'A version; the one in service if absent.' },
      },
      shows: { as: 'text', member: 'text' },
    },
    circuits: {
      summary: 'Lists the circuits of targets that are open or have failures, the open ones first.',
      route: 'GET /circuits',
      flags: {
        config: {
          in: 'query',
          known: { saved: '/configs' },
          value: 'NAME',
          describe: 'Only circuits that requests of this config used.',
        },
      },
      shows: {
        as: 'table',
        columns: {
          ...{ STATE: 'state', CONFIG: 'config', TARGET: 'target', KIND: 'kind', MODEL: 'model' },
          ...{ FAILURES: 'failures', CAUSE: 'cause', OPENED: 'opened_at', RETRY: 'retry_at' },
        },
      },
      notes: 'They belong to the gateway that answers: each gateway of a shared store has its own.',
    },
    versions: {
      summary: 'Lists the versions of a config; --format json has their texts.',
      route: 'GET /configs/{slug}/versions',
      flags: listFlags,
      shows: {
        as: 'table',
        columns: { VERSION: 'version', ID: 'id', MADE: 'created_at', BY: 'created_by' },
      },
    },
  },
};

const described = resources.map(resourceCommands);

/** Adds the described resources that belong to a resource, as labels belong to prompts. */
const withParts = (resource: Resource): Resource => {
  const parts = described.filter(({ name }) => name.startsWith(`${resource.name} `));
  const words = parts.map((part) => [part.name.slice(resource.name.length + 1), part]);
  return { ...resource, parts: { ...resource.parts, ...Object.fromEntries(words) } };
};

/** The commands of `gw` for the API of the control plane, by resource. */
export const apiResources: readonly Resource[] = [
  ...[configs, keys, logs, organisation, policies, prompts],
  ...described.filter(({ name }) => !name.includes(' ')),
].map(withParts);
