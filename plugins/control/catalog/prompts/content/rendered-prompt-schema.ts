import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { text } from '../../../kernel/requests/replies.ts';

const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const object = { type: 'object', additionalProperties: true } as const;

/** Describes an object to which vendors add members of their own. */
const open = (properties: Readonly<Record<string, ParameterSchema>>): ParameterSchema => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

const functionMembers = { name: text, description: text, parameters: object } as const;

/** The parameters that a prompt's content also has by names of their own. */
export const ownParameters: Readonly<Record<'model' | 'functions' | 'tools' | 'tool_choice', ParameterSchema>> = {
  model: text,
  functions: { type: 'array', items: open(functionMembers) },
  tools: {
    type: 'array',
    items: open({ type: text, function: open({ ...functionMembers, strict: flag }) }),
  },
  tool_choice: { anyOf: [text, object] },
};

/** The members of a prompt beside its messages: the parameters of a chat completion, by their names on the wire. */
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

/** The parameters of a prompt, as its content and the body of a request have them. */
export const promptParametersSchema: ParameterSchema = open(parameters);

const members: Readonly<Record<string, ParameterSchema>> = {
  messages: { type: 'array', items: open({ role: text, name: text }) },
  prompt: text,
  ...parameters,
};

/**
 * A rendered prompt, the `data` of the render response. A chat prompt has `messages`, a completion prompt has `prompt`;
 * what a vendor adds to the parameters is left open.
 */
export const renderedPromptSchema: ParameterSchema = { title: 'RenderedPrompt', ...open(members) };

/** The body of the render request: variables, and parameters that replace the prompt's own. */
export const renderBodySchema: ParameterSchema = {
  ...open({ variables: object, ...members }),
  required: ['variables'],
};
