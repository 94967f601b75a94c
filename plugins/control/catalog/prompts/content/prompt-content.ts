import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { ownParameters, promptParametersSchema } from './rendered-prompt-schema.ts';

/** The members of `PromptContent`, as schemas. */
export const promptContentMembers: Readonly<Record<keyof PromptContent, ParameterSchema>> = {
  string: {
    type: 'string',
    minLength: 1,
    description: 'A JSON list of messages, each of whose strings is a template; or one template, for a completion.',
  },
  is_raw_template: {
    type: 'integer',
    enum: [0, 1],
    description: 'With 1, "string" as a whole is a template, and what is rendered must be a JSON list of messages.',
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

/** A version as it is stored: its content, and the slugs of the partials that it includes itself. */
export interface StoredVersion {
  readonly content: PromptContent;
  readonly partials: readonly string[];
}

/** Writes a version as it is stored. */
export const toStoredVersion = (content: PromptContent, partials: readonly string[]): string => {
  const stored: StoredVersion = { content, partials: [...new Set(partials)] };
  return JSON.stringify(stored);
};
