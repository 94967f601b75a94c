import { settingFields } from '../../../../schema/config/provider-fields.ts';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { toCredentialFields } from '../../../sdk/provider/to-credential-fields.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { seconds, text } from '../../kernel/requests/replies.ts';
import type { GivenCredential, ValidationContext } from './destination.ts';
import type { GivenTls } from './stored-tls.ts';

/** Returns the error for a name that is taken, which states what has it. */
export const slugTaken = (slug: string, by: string, hint = 'Choose another slug.'): GatewayError =>
  conflict(`The slug "${slug}" is taken by ${by}.`, hint);

/** The parameters of a path that names a record by its slug. */
export const slugParams = {
  type: 'object',
  required: ['slug'],
  properties: { slug: { type: 'string', pattern: '^[a-zA-Z0-9_-]+$', maxLength: 255 } },
} as const;

/** Members of a body that are abbreviations of settings. */
interface DeploymentMembers {
  readonly resourceName?: string;
  readonly apiVersion?: string;
  readonly deploymentName?: string;
  readonly deploymentConfig?: readonly {
    readonly apiVersion: string;
    readonly deploymentName: string;
    /** The model name that selects it; its own name if absent. */
    readonly alias?: string;
    readonly is_default?: boolean;
  }[];
}

/** The abbreviated members, with their settings. */
const shorthands = [
  ['resourceName', 'resource_name'],
  ['apiVersion', 'api_version'],
  ['deploymentName', 'deployment_id'],
  ['deploymentConfig', 'deployments'],
] as const satisfies readonly (readonly [keyof DeploymentMembers, string])[];

/** Converts such members to settings. */
export const deploymentSettings = ({ deploymentConfig, ...others }: DeploymentMembers): JsonObject => {
  const members: { readonly [name: string]: Json | undefined } = {
    ...others,
    deploymentConfig: deploymentConfig?.map(({ apiVersion, deploymentName, alias = deploymentName, is_default }) => ({
      ...{ deployment_id: deploymentName, alias, api_version: apiVersion },
      ...(is_default !== undefined && { is_default }),
    })),
  };
  return Object.fromEntries(
    shorthands
      .filter(([member]) => members[member] !== undefined)
      .map(([member, setting]) => [setting, members[member] as Json]),
  );
};

/** Converts a place in the settings to a place in a body with such members. */
export const deploymentPlace = (body: DeploymentMembers, pointer: JsonPointer): JsonPointer => {
  const sent = shorthands.find(
    ([member, setting]) =>
      body[member] !== undefined && `${pointer}/`.startsWith(`${toPointer(['settings', setting])}/`),
  );
  return sent === undefined ? pointer : toPointer([sent[0]]);
};

interface SettingsSchema {
  readonly type: 'object';
  readonly additionalProperties: true;
  readonly description: string;
}

/** Lists settings that many providers have, only for hints. Their values are validated by what the provider declares. */
const settingsSchema: SettingsSchema = {
  type: 'object',
  additionalProperties: true,
  ...{ properties: Object.fromEntries(['custom_host', 'unknown_ids', ...settingFields].map((name) => [name, {}])) },
  description:
    'Settings of the provider by config field name; custom_host, which replaces its base URL; and unknown_ids, "allow" or "refuse", for files, batches and jobs that were not created through the gateway.',
};

/** The members of a body that specify what a record calls. */
export const destinationProperties = {
  provider: { type: 'string', minLength: 1, description: 'The id of a provider of the gateway, such as openai.' },
  settings: settingsSchema as SettingsSchema,
  credential: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Secrets by the names of their config fields. They are returned as placeholders. Sending a placeholder keeps the secret.',
  },
  key: { type: 'string', description: "Short for the main field of the provider's credential, usually api_key." },
  keys: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    description:
      'Several API keys instead of the credential: each attempt is sent with one of them, drawn by weight. They are read back as placeholders, which keep them when they are sent, at any place in the list.',
    items: {
      type: 'object',
      required: ['api_key'],
      properties: {
        api_key: { type: 'string', description: 'The key.' },
        weight: {
          type: 'number',
          minimum: 0,
          description: "The key's share of the attempts; 1 if absent. With 0 no attempt draws it.",
        },
      },
    },
  },
  accounts: {
    type: 'string',
    enum: ['one', 'several'],
    description:
      'Whether the keys belong to one account or to several. With several, what a provider keeps is requested with the key that created it, or with the first one if that is not known.',
  },
  tls: {
    anyOf: [
      {
        type: 'object',
        description:
          "How the gateway verifies the provider's host, and how it identifies itself to it. The PEM is returned as placeholders. Sending a placeholder keeps it; null removes all of it.",
        properties: {
          ca: {
            type: 'string',
            maxLength: 262_144,
            description:
              'The certificates, in PEM, of the authorities that may have issued that of the host, instead of those that are trusted by default.',
          },
          cert: {
            type: 'string',
            maxLength: 65_536,
            description:
              "The gateway's certificate, in PEM, followed by the intermediate certificates between it and the root.",
          },
          key: {
            type: 'string',
            maxLength: 16_384,
            description: 'The private key of cert, in PEM without a passphrase. It is sealed.',
          },
          server_name: {
            type: 'string',
            maxLength: 253,
            pattern: '^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?$',
            description: 'The name that its certificate must be for, if that is not the host of the address.',
          },
        },
      },
      { type: 'null' },
    ],
  },
} as const;

/** The members of responses that describe the destination of a record. */
export const destinationReplies: { readonly [name: string]: ParameterSchema } = {
  provider: text,
  settings: { type: 'object', additionalProperties: true },
  credential: { type: 'object', additionalProperties: text, description: 'Placeholders of the sealed secrets.' },
};

/** The members of responses for records with several keys or TLS settings. */
export const furtherReplies: { readonly [name: string]: ParameterSchema } = {
  keys: {
    type: 'array',
    description: 'Placeholders of the sealed keys, with their weights.',
    items: { type: 'object', properties: { api_key: text, weight: { type: 'number' } } },
  },
  accounts: { type: 'string', enum: ['one', 'several'] },
  tls: {
    type: 'object',
    description: 'Placeholders of the sealed PEM, and the name.',
    properties: { ca: text, cert: text, key: text, server_name: text },
  },
  tls_expires_at: {
    ...seconds,
    description: 'When the certificate of the gateway expires, in seconds since the epoch.',
  },
};

/** A destination in a request body. In a change, absent members stay as they are. */
export interface DestinationBody extends DeploymentMembers {
  readonly provider?: string;
  readonly settings?: JsonObject;
  readonly credential?: GivenCredential;
  readonly key?: string;
  readonly keys?: readonly { readonly api_key: string; readonly weight?: number }[];
  readonly accounts?: 'one' | 'several';
  /** The TLS settings; null removes them. */
  readonly tls?: GivenTls | null;
}

/** The credential in a body. */
export interface SentCredential {
  /** The credential, in which `key` has the name of the field that it abbreviates; absent if the body has none. */
  readonly credential?: GivenCredential;
  readonly problems: readonly Problem[];
  /** Converts a place in the credential to a place in the body. */
  placeInBody(pointer: JsonPointer): JsonPointer;
}

const asSent = (pointer: JsonPointer): JsonPointer => pointer;

/** Returns the credential in a body for a provider. */
export const sentCredential = (
  { credential, key }: DestinationBody,
  provider: string,
  { catalogue }: ValidationContext,
): SentCredential => {
  if (key === undefined) return { ...(credential !== undefined && { credential }), problems: [], placeInBody: asSent };
  const row = catalogue.providers.get(provider);
  const main = row === undefined ? 'api_key' : toCredentialFields(row)[0];
  if (main !== undefined && credential?.[main] === undefined) {
    const place = toPointer(['credential', main]);
    const placeInBody = (pointer: JsonPointer): JsonPointer => (pointer === place ? toPointer(['key']) : pointer);
    return { credential: { ...credential, [main]: key }, problems: [], placeInBody };
  }
  const message =
    main === undefined
      ? `The provider ${provider} takes no credential.`
      : `This is short for "credential": { "${main}": … }, which is set as well.`;
  return { credential: credential ?? {}, problems: [problem(['key'], message, 'Leave it out.')], placeInBody: asSent };
};
