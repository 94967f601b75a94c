import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { slugSchema } from '../../../kernel/records/new-slug.ts';
import { type PromptContent, promptContentMembers, promptContentRequired } from '../content/prompt-content.ts';

const name = { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } as const;

export const versionDescription = {
  type: 'string',
  maxLength: 2000,
  description: 'What is new in this version, for people.',
} as const;

const collection = { type: 'string', minLength: 1, description: 'The id of its collection.' } as const;

/** The body that makes a prompt. */
export interface NewPromptBody extends PromptContent {
  readonly name: string;
  readonly slug?: string;
  readonly collection_id?: string;
  readonly version_description?: string;
}

/** The body that changes a prompt. */
export interface PromptChangeBody extends Partial<PromptContent> {
  readonly name?: string;
  readonly collection_id?: string | null;
  readonly version_description?: string;
  /** If true, absent members are as in the newest version. */
  readonly patch?: boolean;
}

export const newPromptSchema: ParameterSchema = {
  type: 'object',
  required: ['name', ...promptContentRequired],
  properties: {
    name,
    slug: { ...slugSchema, description: 'What requests name it by; made of the name if absent.' },
    collection_id: collection,
    version_description: versionDescription,
    ...promptContentMembers,
  },
};

export const promptChangeSchema: ParameterSchema = {
  type: 'object',
  properties: {
    name,
    collection_id: { anyOf: [collection, { type: 'null' }] },
    version_description: versionDescription,
    patch: {
      type: 'boolean',
      default: false,
      description:
        'Whether what is absent is as in the newest version. Otherwise the new version has only what is here.',
    },
    ...promptContentMembers,
  },
};

/** The body that names a version by its number. */
export const versionBody = {
  type: 'object',
  required: ['version'],
  properties: {
    version: {
      type: 'integer',
      minimum: 1,
      maximum: 9_007_199_254_740_991,
      description: 'The number of the version.',
    },
  },
} as const;

const contentMembers = Object.keys(promptContentMembers);

/** Picks the members of a body that are the content of a version. */
export const contentIn = (body: object): Partial<PromptContent> =>
  Object.fromEntries(Object.entries(body).filter(([member]) => contentMembers.includes(member)));
