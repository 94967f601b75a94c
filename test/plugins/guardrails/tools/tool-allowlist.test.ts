import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameMatcher } from '../../../../plugins/guardrails/tools/name-matcher.ts';
import { toolAllowlist } from '../../../../plugins/guardrails/tools/tool-allowlist.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** A request that offers `add` and `rm_all`, and an answer that calls both, in each dialect. */
const samples: { readonly [dialect: string]: { readonly request: JsonObject; readonly answer: JsonObject } } = {
  chat: {
    request: {
      tools: [
        { type: 'function', function: { name: 'add' } },
        { type: 'custom', custom: { name: 'rm_all' } },
      ],
    },
    answer: {
      choices: [
        { message: { tool_calls: [{ type: 'function', function: { name: 'add', arguments: '{}' } }] } },
        { message: { tool_calls: [{ type: 'custom', custom: { name: 'rm_all', input: '' } }] } },
      ],
    },
  },
  messages: {
    request: { tools: [{ name: 'add', input_schema: {} }], mcp_servers: [{ type: 'url', name: 'rm_all' }] },
    answer: {
      content: [
        { type: 'text', text: 'rm_other' },
        { type: 'tool_use', name: 'add', input: {} },
        { type: 'mcp_tool_use', name: 'rm_all', input: {} },
      ],
    },
  },
  responses: {
    request: { tools: [{ type: 'function', name: 'add' }, { type: 'rm_all' }] },
    answer: { output: [{ type: 'message' }, { type: 'function_call', name: 'add' }, { type: 'rm_all_call' }] },
  },
  gemini: {
    request: { tools: [{ functionDeclarations: [{ name: 'add' }] }, { rm_all: {} }] },
    answer: {
      candidates: [{ content: { parts: [{ functionCall: { name: 'add' } }, { function_call: { name: 'rm_all' } }] } }],
    },
  },
  converse: {
    request: {
      toolConfig: { tools: [{ toolSpec: { name: 'add' } }, { systemTool: { name: 'rm_all' } }, { cachePoint: {} }] },
    },
    answer: { output: { message: { content: [{ toolUse: { name: 'add' } }, { toolUse: { name: 'rm_all' } }] } } },
  },
  cohere: {
    request: { tools: [{ function: { name: 'add' } }, { function: { name: 'rm_all' } }] },
    answer: { message: { tool_calls: [{ function: { name: 'add' } }, { function: { name: 'rm_all' } }] } },
  },
};

describe('default.toolAllowlist', () => {
  it.each(Object.entries(samples))('reads the tools that requests offer and answers call in %s', (dialect, sample) => {
    const both = (parameters: JsonObject, verdict: 'pass' | 'fail', refusedTools: readonly string[]) =>
      (['input', 'output'] as const).map((phase) => ({
        parameters,
        phase,
        dialect,
        ...sample,
        verdict,
        data: { refusedTools, tools: 2 },
      }));
    return testGuardrail(toolAllowlist, [
      ...both({ allowed: ['add', 'rm_*'] }, 'pass', []),
      ...both({ allowed: ['add'] }, 'fail', ['rm_all']),
      ...both({ blocked: ['rm_*'] }, 'fail', ['rm_all']),
      ...both({ blocked: ['rm'] }, 'pass', []),
      ...both({ allowed: ['*'], blocked: ['add'] }, 'fail', ['add']),
    ]);
  });

  it('passes requests and answers without tools', () =>
    testGuardrail(toolAllowlist, [
      { parameters: { allowed: ['add'] }, request: { messages: [] }, verdict: 'pass', data: { tools: 0 } },
      { parameters: { allowed: ['add'] }, phase: 'output', answer: { choices: [] }, verdict: 'pass' },
      { parameters: { allowed: ['add'] }, dialect: 'embeddings', operation: 'embed', verdict: 'pass' },
    ]));

  it('judges tools without a name, and older forms', () =>
    testGuardrail(toolAllowlist, [
      {
        parameters: { allowed: ['add'] },
        request: { tools: [{ type: 'function', function: {} }], mcp_servers: [{}] },
        verdict: 'fail',
        data: { refusedTools: ['function', ''] },
      },
      { parameters: { allowed: ['add'] }, request: { functions: [{ name: 'sub' }] }, verdict: 'fail' },
      {
        parameters: { allowed: ['add'] },
        phase: 'output',
        answer: { choices: [{ message: { function_call: { name: 'sub' } } }] },
        verdict: 'fail',
      },
      { parameters: { blocked: ['web_*'] }, request: { web_search_options: {} }, verdict: 'fail' },
    ]));

  it('reports an error if tools cannot be read, and requires a list', () =>
    testGuardrail(toolAllowlist, [
      { parameters: { allowed: ['add'] }, dialect: 'acme', verdict: 'error' },
      { parameters: { allowed: ['add'] }, phase: 'output', verdict: 'error' },
      { parameters: {}, verdict: 'refused' },
      { parameters: { allowed: [] }, verdict: 'refused' },
    ]));
});

describe('a name pattern', () => {
  it('matches every name in which each * is replaced by some text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.') }), { minLength: 1 }),
        fc.infiniteStream(fc.string()),
        (pieces, fills) => {
          const name = pieces.reduce((made, piece) => made + (fills.next().value ?? '') + piece);
          expect(nameMatcher([pieces.join('*')])(name)).toBe(true);
        },
      ),
      lawRuns,
    );
  });

  it('agrees with the equivalent regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, name) => {
        expect(nameMatcher([pattern])(name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name));
      }),
      lawRuns,
    );
  });
});
