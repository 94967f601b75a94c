import { describe, expect, it } from 'vitest';
import { hyperparametersError, parsePrompt } from '../../../../../plugins/control/catalog/prompts/parse-prompt.ts';
import {
  newPromptSchema,
  type PromptContent,
  renderBodySchema,
  renderedPromptSchema,
} from '../../../../../plugins/control/catalog/prompts/prompt-content.ts';
import { renderPrompt } from '../../../../../plugins/control/catalog/prompts/prompts-of.ts';
import { compileSchema } from '../../../../../plugins/sdk/parameters/compile-schema.ts';
import type { ParameterSchema } from '../../../../../plugins/sdk/parameters/from-schema.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parsed } from './templates/render.ts';

const messages = [
  { role: 'system', content: 'Answer in {{language}}. {{>rules@2}}' },
  { role: 'user', name: 'asker', content: [{ type: 'text', text: '{{question}}' }] },
];
const chat: PromptContent = {
  string: JSON.stringify(messages),
  parameters: { max_tokens: 10, temperature: 0.5, vendor_option: { deep: true } },
  virtual_key: 'openai-main',
  model: 'small',
  tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' }, strict: true } }],
  tool_choice: 'auto',
  template_metadata: { author: 'Ann' },
};
const partial = (name: string) => (name === 'rules@2' ? parsed('Be {{tone}}.') : undefined);
const variables = { language: 'Latin', question: '"Quid?" {{x}}', tone: 'kind' };

const render = (content: PromptContent, given: JsonObject, overrides?: JsonObject): JsonObject => {
  const { prompt, problems } = parsePrompt(content);
  if (prompt === undefined) throw new Error(JSON.stringify(problems));
  return renderPrompt(prompt, given, { partial, ...(overrides === undefined ? {} : { overrides }) });
};

const fits = (schema: ParameterSchema, value: unknown): boolean =>
  compileSchema(schema).validate(value).errors.length === 0;

describe('a rendered prompt', () => {
  it('contains the messages, model, parameters and tools, and nothing else of the content', () => {
    const data = render(chat, variables);
    expect(data).toEqual({
      messages: [
        { role: 'system', content: 'Answer in Latin. Be kind.' },
        { role: 'user', name: 'asker', content: [{ type: 'text', text: '"Quid?" {{x}}' }] },
      ],
      max_tokens: 10,
      temperature: 0.5,
      vendor_option: { deep: true },
      model: 'small',
      tools: chat.tools,
      tool_choice: 'auto',
    });
    expect(fits(renderedPromptSchema, data)).toBe(true);
  });

  it('uses the parameters of the request instead of its own', () => {
    const data = render(chat, variables, { max_tokens: 99, stream: true, model: 'large', stop: ['.'] });
    expect(data).toMatchObject({ max_tokens: 99, stream: true, model: 'large', stop: ['.'], temperature: 0.5 });
  });

  it('contains the text of a completion prompt', () => {
    const content = { string: 'Tell of {{x}}.', parameters: {}, virtual_key: 'v' };
    expect(render(content, { x: 'Rome' })).toEqual({ prompt: 'Tell of Rome.' });
    expect(render({ ...content, string: '[INST] {{x}} [/INST]' }, { x: 1 })).toEqual({ prompt: '[INST] 1 [/INST]' });
  });

  it('is the rendered text, parsed as JSON, if the template is raw', () => {
    const string = '[{{#shots}}{{.}},{{/shots}}{"role":"user","content":"{{q}}"}]';
    const content: PromptContent = { string, is_raw_template: 1, parameters: {}, virtual_key: 'v' };
    const shot = { role: 'assistant', content: 'a' };
    expect(render(content, { shots: [shot], q: 'b' })).toEqual({ messages: [shot, { role: 'user', content: 'b' }] });
    expect(() => render(content, { shots: [1], q: 'b' })).toThrow('must be a JSON list of messages');
    expect(() => render(content, { q: '"' })).toThrow('at line 1, column');
  });
});

describe('the content of a prompt', () => {
  it('matches its schema, which validates the parameters and refuses unknown members', () => {
    expect(fits(newPromptSchema, { name: 'Chat', ...chat })).toBe(true);
    for (const error of [
      { ...chat, string: '' },
      { ...chat, string: messages },
      { ...chat, parameters: { temperature: 'hot' } },
      { ...chat, is_raw_template: 2 },
      { ...chat, tools: [1] },
      { ...chat, unknown: 1 },
      { string: 'x', parameters: {} },
    ])
      expect(fits(newPromptSchema, { name: 'Chat', ...error })).toBe(false);
  });

  it.each<[string, Partial<PromptContent>, object[]]>([
    [
      'a problem in a message, with its place in that message',
      { string: '[{"role":"user","content":"a\\n{{#x}}"},{"role":"user","content":"{{a b}}"}]' },
      [
        { pointer: '/string', place: '/0/content', line: 2, column: 1, message: 'The section "x" is not closed.' },
        { pointer: '/string', place: '/1/content', line: 1, column: 1 },
      ],
    ],
    [
      'a problem in a text, with its line and column',
      { string: 'a\n {{x' },
      [{ pointer: '/string', line: 2, column: 2 }],
    ],
    [
      'a problem in a raw template, with its line and column',
      { string: '[{{#x}}]', is_raw_template: 1 },
      [{ pointer: '/string', line: 1, column: 2 }],
    ],
    [
      'a list of items that are not messages',
      { string: '[1]' },
      [{ message: expect.stringContaining('must be a message') }],
    ],
    [
      'a list that is not JSON',
      { string: '[{"role":"user","content":{{x}}}]' },
      [{ hint: expect.stringContaining('"is_raw_template" to 1') }],
    ],
    [
      'nested parameters, together with another problem',
      { string: '{{', parameters: { hyperparameters: { max_tokens: 1 } } },
      [{ pointer: '/parameters/hyperparameters', hint: expect.stringContaining('"max_tokens"') }, { line: 1 }],
    ],
  ])('has its problems reported: %s', (_, change, problems) => {
    expect(parsePrompt({ ...chat, ...change }).problems).toMatchObject(problems);
  });
});

describe('the body of a render request', () => {
  it('requires variables and accepts parameters at its root', () => {
    expect(fits(renderBodySchema, { variables: {}, max_tokens: 1, stream: true, other: 1 })).toBe(true);
    for (const error of [{}, { variables: [] }, { variables: {}, max_tokens: 'many' }])
      expect(fits(renderBodySchema, error)).toBe(false);
  });

  it('cannot contain nested hyperparameters', () => {
    expect(hyperparametersError({ variables: {}, hyperparameters: {} })).toEqual({
      pointer: '/hyperparameters',
      message: 'Parameters are not nested under "hyperparameters".',
      hint: 'Write them one level higher, such as "max_tokens" instead of "hyperparameters.max_tokens".',
    });
    expect(hyperparametersError({ variables: { hyperparameters: 1 } })).toBeUndefined();
  });
});
