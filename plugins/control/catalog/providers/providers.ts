import { timeErrors } from '../../access/keys/key-parts.ts';
import { ownLimitMembers, ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { type OwnLimitsBody, ownLimitsErrors } from '../../kernel/limits/own-limits.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import type { Problem } from '../../kernel/requests/problem.ts';
import { textOrNull } from '../../kernel/requests/replies.ts';
import type { ApiCommand, Columns, MemberFlags } from '../../kernel/resource/api-command.ts';
import {
  defineResource,
  type Resource,
  type ResourceParts,
  type Writes,
} from '../../kernel/resource/define-resource.ts';
import {
  destinationFlags,
  expiresFlag,
  furtherMembers,
  newExpiryFlag,
  noteFlag,
  slugFlag,
} from '../../kernel/resource/flags.ts';
import { displayName, optional, slug, text, time } from '../../kernel/resource/member.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ProviderRow } from '../../kernel/store/tables.ts';
import {
  destinationProperties,
  destinationReplies,
  furtherReplies,
  slugParams,
  slugTaken,
} from '../destinations/destination-body.ts';
import type { ProviderBody } from './provider-rules.ts';

/** Lists the problems of the members of a body that do not concern the destination. */
const memberProblems = (
  body: OwnLimitsBody & { readonly expires_at?: number | null },
  now: number,
): readonly Problem[] => {
  const { expires_at = null } = body;
  return [...(expires_at === null ? [] : timeErrors(['expires_at'], expires_at, now)), ...ownLimitsErrors(body)];
};

/**
 * The feeds for the plans and the limits of a workspace. Providers have limits, of their own and shared with their integration.
 */
const followed = ['plans', 'policies'] as const;

const inputs = { ...destinationProperties, ...ownLimitMembers } as const;

/** The members that providers and virtual keys have in common. */
const shared = {
  owner: 'workspace',
  table: 'providers',
  members: {
    name: displayName(),
    slug: slug({ description: slugSchema.description }),
    note: optional(text({ max: 2000, description: 'A text for people.' })),
    expires_at: optional(time('When it expires, in seconds since the epoch.')),
  },
  hidden: ['kind', 'integration_id', 'provider', 'settings', 'credential', 'origins', 'tls', 'status', 'limits'],
  view: {
    schema: {
      object: { type: 'string', enum: ['provider', 'virtual-key'] },
      integration_id: textOrNull,
      ...destinationReplies,
      status: { type: 'string', enum: ['active', 'exhausted', 'expired'] },
      ...ownLimitReplies,
    },
    optional: furtherReplies,
    show: async (rows: readonly ProviderRow[], { parts }: { readonly parts: ResourceParts }) =>
      (await import('./provider-rules.ts')).showProviders(rows, parts),
  },
  secrets: async (row: ProviderRow) => (await import('./provider-rules.ts')).providerSecrets(row),
  naming: 'slug',
  params: slugParams,
  max: 10_000,
  feeds: { create: followed, update: followed, delete: followed },
  rules: {
    validate: memberProblems,
    prepare: async (parts: ResourceParts, writes: Writes<ProviderRow, ProviderBody>) =>
      (await import('./provider-rules.ts')).prepareProvider(parts, writes),
    beforeDelete: async (row: ProviderRow, db: Writing) =>
      (await import('./provider-rules.ts')).refuseUsedProvider(row, db),
    taken: (name: string, by: 'record' | 'file') =>
      by === 'file'
        ? slugTaken(name, "the gateway's file")
        : slugTaken(
            name,
            'a provider or virtual key of the workspace',
            `Choose another slug. PUT /v1/providers/${name} changes a provider, PUT /v1/virtual-keys/${name} a virtual key.`,
          ),
  },
  title: 'Provider',
  answers: { create: 'reference', update: 'reference' },
} as const;

interface Commands {
  /** How the record is named, as the end of a sentence. */
  readonly named: string;
  /** Columns in addition to those of both. */
  readonly columns?: Columns;
  /** Flags only for a new record. */
  readonly created?: MemberFlags;
}

/** The command that tries the credential of a record, on a path below the record's. */
const toTest = (noun: string, path: `/${string}`): ApiCommand => ({
  summary: `Tests the credential of a saved ${noun} by listing the models of its provider, which costs nothing.`,
  route: `POST ${path}/{slug}/test`,
  shows: { as: 'record', text: 'models', passes: { member: 'outcome', values: ['accepted', 'untested'] } },
  notes:
    'The exit code is 1 if the provider refuses the credential or cannot be reached. A provider without a list of models is not tested.',
});

const toCommands = (noun: string, { named, columns, created }: Commands): NonNullable<Resource['commands']> => {
  const fromFile = {
    file: { name: 'FILE', optional: true },
    notes: furtherMembers('"settings", "credential", "keys" and "tls"'),
  } as const;
  return {
    list: {
      summary: `Lists the saved ${noun}s, without their credentials.`,
      shows: {
        as: 'table',
        columns: {
          ...{ SLUG: 'slug', NAME: 'name', PROVIDER: 'provider', STATUS: 'status', EXPIRES: 'expires_at' },
          ...columns,
        },
      },
    },
    get: { summary: `Shows a saved ${noun}, with placeholders for its credential.` },
    create: {
      summary: `Saves a ${noun}.`,
      flags: { ...destinationFlags, slug: slugFlag, ...created, note: noteFlag, expires: expiresFlag },
      shows: { as: 'said', text: `The ${noun} was saved: ${named}.` },
      ...fromFile,
    },
    update: {
      summary: `Changes a saved ${noun}; what is not given stays.`,
      flags: { ...destinationFlags, note: noteFlag, expires: newExpiryFlag },
      ...fromFile,
    },
    delete: { summary: `Deletes a saved ${noun} that nothing names.` },
  };
};

/** The resource of providers, which configs of a workspace name as `@slug`. */
export const providers: Resource = defineResource({
  ...shared,
  noun: 'provider',
  plural: 'providers',
  path: '/providers',
  command: 'providers',
  headline: 'Save providers and their credentials.',
  summary: 'Save providers and their credentials on a gateway; configs name them as @SLUG.',
  discriminator: { kind: 'provider' },
  inputs,
  newInputs: {
    integration_id: {
      type: 'string',
      minLength: 1,
      description: 'The id or slug of the integration whose credential it uses. If absent, it has its own provider.',
    },
  },
  overlay: 'providers',
  summaries: {
    create: 'Saves a provider, with the credential of an integration or with its own.',
    list: 'The providers of a workspace, the newest first.',
    get: 'A provider, with placeholders for its secrets.',
    update: 'Changes a provider. Absent members stay as they are.',
    delete: 'Deletes a provider that no config names.',
  },
  commands: toCommands('provider', {
    named: 'configs name it @{slug}',
    columns: { NOTE: 'note' },
    created: {
      integration: {
        member: 'integration_id',
        value: 'SLUG',
        describe: 'The integration of the organisation whose credential it uses.',
      },
    },
  }),
  furtherCommands: {
    test: toTest('provider', '/providers'),
    price: {
      summary: 'Shows the public price of a model, in US cents for one unit.',
      route: 'GET /model-configs/pricing/{provider}/{model}',
      shows: { as: 'json' },
    },
  },
});

const filled = { type: 'string', minLength: 1 } as const;

/** The resource of virtual keys, which configs name as `virtual_key`, and requests in `x-gw-virtual-key`. */
export const virtualKeys: Resource = defineResource({
  ...shared,
  noun: 'virtual key',
  plural: 'virtual keys',
  path: '/virtual-keys',
  command: 'virtual-keys',
  headline: 'Save credentials that requests name.',
  summary: 'Save credentials of providers on a gateway; requests name one in x-gw-virtual-key.',
  discriminator: { kind: 'virtual-key' },
  // Settings of deployments, under the names that the hosted service uses.
  inputs: {
    ...inputs,
    resourceName: { ...filled, description: 'Short for the setting resource_name.' },
    apiVersion: { ...filled, description: 'Short for the setting api_version.' },
    deploymentName: { ...filled, description: 'Short for the setting deployment_id.' },
    deploymentConfig: {
      type: 'array',
      description: 'Short for the setting deployments.',
      items: {
        type: 'object',
        required: ['apiVersion', 'deploymentName'],
        properties: { apiVersion: filled, deploymentName: filled, alias: filled, is_default: { type: 'boolean' } },
      },
    },
  },
  requires: ['provider'],
  overlay: 'virtualKeys',
  summaries: {
    create: 'Saves a virtual key: a provider with a credential of its own.',
    list: 'The virtual keys of a workspace, the newest first.',
    get: 'A virtual key, with placeholders for its secrets.',
    update: 'Changes a virtual key. Absent members stay as they are.',
    delete: 'Deletes a virtual key that no config names.',
  },
  commands: toCommands('virtual key', { named: 'requests name it {slug}' }),
  furtherCommands: { test: toTest('virtual key', '/virtual-keys') },
});
