/** A parameter of a request and its type. `min` and `max` limit a number, and `words` lists everything that a string may be. */
export interface RequestParameter {
  readonly types: readonly ('string' | 'number' | 'integer' | 'boolean' | 'array' | 'object')[];
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly string[];
}

const text: RequestParameter = { types: ['string'] };
const flag: RequestParameter = { types: ['boolean'] };
const list: RequestParameter = { types: ['array'] };
const object: RequestParameter = { types: ['object'] };
const count: RequestParameter = { types: ['integer'], min: 1 };
const penalty: RequestParameter = { types: ['number'], min: -2, max: 2 };

/** Parameters of requests that mean the same in every dialect that has them. Others are passed on unchanged. */
export const requestParameters: { readonly [name: string]: RequestParameter } = {
  model: text,
  temperature: { types: ['number'], min: 0, max: 2 },
  top_p: { types: ['number'], min: 0, max: 1 },
  top_k: { types: ['integer'], min: 0 },
  max_tokens: count,
  max_completion_tokens: count,
  max_output_tokens: count,
  n: { types: ['integer'], min: 1, max: 128 },
  seed: { types: ['integer'] },
  stream: flag,
  stream_options: object,
  stop: { types: ['string', 'array'] },
  stop_sequences: list,
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logit_bias: object,
  logprobs: { types: ['boolean', 'integer'] },
  top_logprobs: { types: ['integer'], min: 0, max: 20 },
  response_format: object,
  tools: list,
  tool_choice: { types: ['string', 'object'], words: ['auto', 'none', 'required', 'any'] },
  parallel_tool_calls: flag,
  functions: list,
  messages: list,
  user: text,
  reasoning_effort: {
    types: ['string'],
    words: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'default', 'auto'],
  },
  service_tier: text,
  store: flag,
  dimensions: count,
  encoding_format: text,
};
