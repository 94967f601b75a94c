import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { checkedConfig } from '../../../support/plans/checked-config.ts';

const parameters = { type: 'object', properties: {} };

/** Requests that offer `evil` to some reader, next to an allowed name or elsewhere. */
const hidden: readonly (readonly [dialect: string, request: JsonObject])[] = [
  ['chat', { tools: [{ type: 'custom', custom: { name: 'evil' }, function: { name: 'fine' } }] }],
  ['chat', { tools: [{ type: 'function', function: { name: 'fine' }, name: 'evil', parameters }] }],
  ['messages', { tools: [{ name: 'evil', function: { name: 'fine' }, input_schema: parameters }] }],
  ['responses', { tools: [{ type: 'function', name: 'evil', function: { name: 'fine' }, parameters }] }],
  [
    'responses',
    { tools: [{ type: 'namespace', name: 'fine', tools: [{ type: 'function', name: 'evil', parameters }] }] },
  ],
  ...['tool_search_output', 'additional_tools'].map((type): readonly [string, JsonObject] => [
    'responses',
    {
      input: [
        { role: 'user', content: 'hi' },
        { type, tools: [{ type: 'function', name: 'evil', parameters }] },
      ],
    },
  ]),
  ['gemini', { tools: [{ type: 'fine', functionDeclarations: [{ name: 'evil' }] }] }],
  ['gemini', { tools: [{ name: 'fine', functionDeclarations: [{ name: 'evil' }] }] }],
  ['gemini', { tools: [{ name: 'fine', googleSearch: {} }] }],
  ['converse', { toolConfig: { tools: [{ systemTool: { name: 'evil' }, toolSpec: { name: 'fine' } }] } }],
];

const prompts: Readonly<Record<string, JsonObject>> = {
  responses: { input: 'hi' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  converse: { messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
};

const checks = [
  { toolAllowlist: { allowed: ['fine'] } },
  { requestParametersCheck: { tools: { allowedFunctionNames: ['fine'] } } },
];

describe.each(checks)('the tools that a request offers, judged by %j', (check) => {
  it.each(hidden)(
    'are read in every place and under every name that a tool of %s has: %j',
    async (dialect, request) => {
      const { ask, sent } = checkedConfig({ input_guardrails: [{ ...check, deny: true }] }, {});
      const prompt = prompts[dialect] ?? { messages: [{ role: 'user', content: 'hi' }] };
      const { response } = await ask(
        { model: 'm', max_tokens: 9, ...prompt, ...request },
        { route: { operation: 'converse', dialect, model: 'm', stream: false } },
      );
      expect({ status: response.status, sent: sent() }).toEqual({ status: 446, sent: [] });
    },
  );
});
