import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { slugSchema } from '../../kernel/records/new-slug.ts';
import { text } from '../../kernel/requests/replies.ts';

const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const object = { type: 'object', additionalProperties: true } as const;

/** The schema of an object to which vendors add members of their own. */
const open = (properties: Readonly<Record<string, ParameterSchema>>): ParameterSchema => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

const functionMembers = { name: text, description: text, parameters: object } as const;

/** The parameters that are also members of a prompt's content. */
const ownParameters: Readonly<Record<'model' | 'functions' | 'tools' | 'tool_choice', ParameterSchema>> = {
  model: text,
  functions: { type: 'array', items: open(functionMembers) },
  tools: {
    type: 'array',
    items: open({ type: text, function: open({ ...functionMembers, strict: flag }) }),
  },
  tool_choice: { anyOf: [text, object] },
};

/** The members of a prompt in addition to its messages: the parameters of a chat completion, by their names in requests. */
const parameters: Readonly<Record<string, ParameterSchema>> = {
  ...ownParameters,
  frequency_penalty: number,
  logit_bias: object,
  logprobs: flag,
  top_logprobs: integer,
  max_tokens: integer,
  n: integer,
  presence_penalty: number,
  response_format: open({ type: text }),
  seed: integer,
  stop: { anyOf: [text, { type: 'array', items: text }, { type: 'null' }] },
  stream: flag,
  stream_options: object,
  thinking: open({ type: text, budget_tokens: integer }),
  temperature: number,
  top_p: number,
  parallel_tool_calls: flag,
  user: text,
  function_call: { anyOf: [text, object] },
};

/** The parameters of a prompt, as its content and the body of a request contain them. */
const promptParametersSchema: ParameterSchema = open(parameters);

const members: Readonly<Record<string, ParameterSchema>> = {
  messages: { type: 'array', items: open({ role: text, name: text }) },
  prompt: text,
  ...parameters,
};

/**
 * A rendered prompt, the `data` of the render response. A chat prompt has `messages`, a completion prompt has `prompt`.
 * Parameters that vendors add are allowed.
 */
export const renderedPromptSchema: ParameterSchema = { title: 'RenderedPrompt', ...open(members) };

/** The body of the render request: variables, and parameters that override the prompt's own. */
export const renderBodySchema: ParameterSchema = {
  ...open({ variables: object, ...members }),
  required: ['variables'],
};

/** The members of `PromptContent`, as schemas. */
export const promptContentMembers: Readonly<Record<keyof PromptContent, ParameterSchema>> = {
  string: {
    type: 'string',
    minLength: 1,
    description: 'A JSON list of messages in which each string is a template, or a single template for a completion.',
  },
  is_raw_template: {
    type: 'integer',
    enum: [0, 1],
    description: 'With 1, "string" as a whole is a template, and the rendered text must be a JSON list of messages.',
  },
  parameters: promptParametersSchema,
  virtual_key: { type: 'string', minLength: 1 },
  ...ownParameters,
  template_metadata: { type: 'object', additionalProperties: true },
};

/** The members that every version of a prompt has. */
export const promptContentRequired = ['string', 'parameters', 'virtual_key'] as const;

/** The content of one version of a prompt. */
export interface PromptContent {
  readonly string: string;
  readonly is_raw_template?: 0 | 1;
  readonly parameters: JsonObject;
  readonly virtual_key: string;
  readonly model?: string;
  readonly functions?: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly tool_choice?: Json;
  readonly template_metadata?: JsonObject;
}

/** A version as it is stored: its content, and the slugs of the partials that it includes directly. */
export interface StoredVersion {
  readonly content: PromptContent;
  readonly partials: readonly string[];
}

/** Returns a version as it is stored. */
export const toStoredVersion = (content: PromptContent, partials: readonly string[]): string =>
  JSON.stringify({ content, partials: [...new Set(partials)] } satisfies StoredVersion);

const name = { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } as const;

export const versionDescription = {
  type: 'string',
  maxLength: 2000,
  description: 'A description of what is new in this version.',
} as const;

const collection = { type: 'string', minLength: 1, description: 'The id of its collection.' } as const;

/** The body that creates a prompt. */
export interface NewPromptBody extends PromptContent {
  readonly name: string;
  readonly slug?: string;
  readonly collection_id?: string;
  readonly version_description?: string;
}

/** The body that changes a prompt. */
export interface PromptChangeBody extends Partial<PromptContent> {
  readonly name?: string;
  /** The current slug, which never changes. */
  readonly slug?: string;
  readonly collection_id?: string | null;
  readonly version_description?: string;
  /** If true, absent members are taken from the newest version. */
  readonly patch?: boolean;
}

export const newPromptSchema: ParameterSchema = {
  type: 'object',
  required: ['name', ...promptContentRequired],
  properties: {
    name,
    slug: { ...slugSchema, description: 'The name used in requests; derived from the display name if absent.' },
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
        'Whether absent members are taken from the newest version. Otherwise the new version has only the members of this request.',
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

/** Returns the members of a body that are the content of a version. */
export const contentIn = (body: object): Partial<PromptContent> =>
  Object.fromEntries(Object.entries(body).filter(([member]) => Object.hasOwn(promptContentMembers, member)));
