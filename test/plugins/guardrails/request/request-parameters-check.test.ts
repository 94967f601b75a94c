import { describe, it } from 'vitest';
import { requestParametersCheck } from '../../../../plugins/guardrails/request/request-parameters-check.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const tool = (name: string): JsonObject => ({ type: 'function', function: { name } });

describe('default.requestParametersCheck', () => {
  it('judges tools by type and by name', () =>
    testGuardrail(requestParametersCheck, [
      { parameters: { tools: { allowedTypes: ['function'] } }, request: { tools: [tool('f')] }, verdict: 'pass' },
      {
        parameters: { tools: { allowedTypes: ['function'], blockedFunctionNames: ['shell'] } },
        request: { tools: [tool('f'), tool('shell'), { type: 'web_search' }] },
        verdict: 'fail',
        data: {
          blockedToolsFound: [
            { type: 'function', name: 'shell', reasons: ['name_blocked'] },
            { type: 'web_search', name: 'web_search', reasons: ['type_not_allowed'] },
          ],
        },
      },
      { parameters: { tools: { blockedTypes: ['mcp'] } }, request: { tools: [{ type: 'mcp' }] }, verdict: 'fail' },
      { parameters: { tools: { allowedFunctionNames: ['f'] } }, request: { tools: [tool('g')] }, verdict: 'fail' },
      { parameters: { tools: { allowedFunctionNames: [] } }, request: { tools: [tool('g')] }, verdict: 'pass' },
    ]));

  it.each([
    ['chat', { tools: [tool('shell')] }],
    ['chat with a custom tool', { tools: [{ type: 'custom', custom: { name: 'shell' } }] }],
    ['the deprecated form of chat', { functions: [{ name: 'shell' }] }],
    ['messages', { tools: [{ name: 'shell', input_schema: {} }] }],
    ['responses', { tools: [{ type: 'function', name: 'shell' }] }],
    ['gemini', { tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'shell' }] }] }],
    ['converse', { toolConfig: { tools: [{ toolSpec: { name: 'shell' } }] } }],
  ])('finds the name of a tool in %s', (_dialect, request) =>
    testGuardrail(requestParametersCheck, [
      { parameters: { tools: { blockedFunctionNames: ['shell'] } }, request: request as JsonObject, verdict: 'fail' },
      { parameters: { tools: { blockedFunctionNames: ['other'] } }, request: request as JsonObject, verdict: 'pass' },
    ]),
  );

  it('judges parameters by key and by value', () =>
    testGuardrail(requestParametersCheck, [
      { parameters: { params: { blockedKeys: ['seed'] } }, request: { seed: 1 }, verdict: 'fail' },
      { parameters: { params: { allowedKeys: ['model'] } }, request: { model: 'm', n: 2 }, verdict: 'fail' },
      {
        parameters: { params: { values: { stream: { blockedValues: [true] }, n: { allowedValues: [1, 2] } } } },
        request: { stream: true, n: 3 },
        verdict: 'fail',
        data: {
          explanation:
            'The request has tools or parameters that the rules do not allow: the parameter "stream", the parameter "n".',
          blockedParamsFound: [
            { param: 'stream', value: true, reasons: ['value_blocked'] },
            { param: 'n', value: 3, reasons: ['value_not_allowed'] },
          ],
        },
      },
      { parameters: { params: { values: { n: { allowedValues: [1] } } } }, request: { n: '1' }, verdict: 'fail' },
      { parameters: { params: { values: { n: { allowedValues: [1] } } } }, request: {}, verdict: 'pass' },
      { parameters: { params: { values: { constructor: { allowedValues: [1] } } } }, request: {}, verdict: 'pass' },
    ]));

  it('passes everything if it has no rules', () =>
    testGuardrail(requestParametersCheck, [
      { parameters: {}, request: { tools: [tool('f')], n: 1 }, verdict: 'pass' },
    ]));

  it('rejects an entry that is both allowed and blocked', () =>
    testGuardrail(requestParametersCheck, [
      { parameters: { tools: { allowedTypes: ['mcp'], blockedTypes: ['mcp'] } }, verdict: 'refused' },
      { parameters: { tools: { allowedFunctionNames: ['f'], blockedFunctionNames: ['f'] } }, verdict: 'refused' },
      { parameters: { params: { allowedKeys: ['n'], blockedKeys: ['n'] } }, verdict: 'refused' },
      { parameters: { params: { values: { n: { allowedValues: [1], blockedValues: [1] } } } }, verdict: 'refused' },
      { parameters: { params: { values: { n: { allowedValues: [{}] } } } }, verdict: 'refused' },
      { parameters: { tool: {} }, verdict: 'refused' },
    ]));
});
