import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, TextSpan } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Replacement } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { replaceInLines } from '../../../../plugins/sdk/texts/replace-in-lines.ts';
import { stringsIn } from '../../../../plugins/sdk/texts/strings-in.ts';
import { withTexts } from '../../../../plugins/sdk/texts/with-texts.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { occurrences } from '../../../support/plans/checked-config.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const swapped = (dialect: Dialect, body: JsonObject, phase: 'input' | 'output' = 'output'): JsonObject => {
  const spans = dialect.texts?.(body, phase) ?? [];
  return withTexts(body, { spans, replacements: occurrences({ spans }, 'Ann', '<">'), phase });
};

/** Bodies with a name in every place where a dialect can have text. */
const bodies: readonly (readonly [Dialect, 'input' | 'output', (name: string) => JsonObject])[] = [
  [
    chat,
    'output',
    (name) => ({
      choices: [
        {
          message: {
            content: [{ type: 'text', text: `a ${name}` }],
            refusal: name,
            reasoning: name,
            audio: { transcript: name },
            tool_calls: [
              { function: { arguments: JSON.stringify({ [name]: [name, 1, null, { deep: name }] }) } },
              { custom: { input: `{"raw": ${name}` } },
            ],
          },
        },
      ],
    }),
  ],
  [
    chat,
    'output',
    (name) => ({
      choices: [
        {
          message: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: name }] },
              { type: 'thinking', thinking: `a ${name}` },
              { type: 'text', text: name },
            ],
            executed_tools: [{ type: 'search', arguments: JSON.stringify({ query: name }), output: `Of ${name}.` }],
          },
        },
        { message: { content: 'Bob', reasoning_details: [{ text: name }, { summary: name }] } },
      ],
    }),
  ],
  [
    chat,
    'input',
    (name) => ({
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: `a ${name}` }],
          reasoning: name,
          reasoning_details: [{ type: 'reasoning.text', text: name }],
        },
      ],
    }),
  ],
  [
    messages,
    'input',
    (name) => ({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: name }] },
            { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: btoa(`of ${name}`) } },
            { type: 'document', source: { type: 'text', data: name } },
          ],
        },
      ],
    }),
  ],
  [messages, 'output', (name) => ({ content: [{ type: 'tool_use', id: 't', name: 'n', input: { [name]: [name] } }] })],
  [
    gemini,
    'output',
    (name) => ({
      candidates: [
        { content: { parts: [{ text: name, thought: true }, { functionCall: { name: 'f', args: { a: name } } }] } },
      ],
    }),
  ],
  [
    gemini,
    'output',
    (name) => ({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed: f("${name}")` }] }),
  ],
  [
    gemini,
    'input',
    (name) => {
      const inlineData = { mimeType: 'text/plain', data: btoa(`of ${name}`) };
      return {
        contents: [
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: {}, parts: [{ inlineData }] } }] },
        ],
      };
    },
  ],
  [
    responses,
    'input',
    (name) => ({
      prompt: { id: 'p', variables: { who: name, whom: { type: 'input_text', text: `to ${name}` } } },
      input: [{ role: 'user', content: name }],
    }),
  ],
  [
    responses,
    'output',
    (name) => ({
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: name }] },
        { type: 'function_call', name: 'f', arguments: JSON.stringify({ a: name }) },
      ],
    }),
  ],
  [
    converse,
    'output',
    (name) => ({
      output: { message: { role: 'assistant', content: [{ text: name }, { toolUse: { input: { a: name } } }] } },
    }),
  ],
];

const quoting: typeof bodies = [
  [
    chat,
    'output',
    (name) => ({
      choices: [
        {
          message: {
            content: 'Bob',
            annotations: [
              { type: 'url_citation', url_citation: { url: 'u', title: name, content: `Of ${name}.` } },
              { type: 'file', file: { hash: 'h', content: [{ type: 'text', text: name }] } },
            ],
            context: {
              citations: [{ title: name, content: name, url: 'u' }],
              intent: JSON.stringify([`who is ${name}`]),
            },
          },
        },
      ],
      citations: ['u'],
      search_results: [{ title: name, url: 'u', snippet: `Of ${name}.` }],
      related_questions: [`Who is ${name}?`],
    }),
  ],
  [
    messages,
    'output',
    (name) => ({
      content: [
        {
          type: 'text',
          text: 'Bob',
          citations: [{ type: 'char_location', cited_text: name, document_title: name }, { title: name }],
        },
      ],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: name },
    }),
  ],
  [
    responses,
    'output',
    (name) => ({
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'Bob',
              annotations: [
                { type: 'url_citation', url: 'u', title: name },
                { type: 'file_citation', file_id: 'f', filename: `${name}.pdf` },
              ],
            },
          ],
        },
      ],
    }),
  ],
  [
    responses,
    'input',
    (name) => ({
      input: [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: false, reason: `Not for ${name}.` }],
    }),
  ],
  [
    gemini,
    'output',
    (name) => ({
      candidates: [
        {
          content: { parts: [{ text: 'Bob' }] },
          groundingMetadata: {
            webSearchQueries: [`who is ${name}`],
            retrievalQueries: [name],
            groundingChunks: [
              { web: { uri: 'u', title: name } },
              { retrievedContext: { title: name, text: `Of ${name}.` } },
              { maps: { title: name, text: name } },
            ],
          },
          citationMetadata: { citations: [{ uri: 'u', title: name }] },
        },
      ],
    }),
  ],
  [gemini, 'output', (name) => ({ promptFeedback: { blockReason: 'OTHER', blockReasonMessage: name } })],
  [
    cohere,
    'output',
    (name) => ({
      message: {
        content: [{ type: 'text', text: 'Bob' }],
        citations: [
          { sources: [{ type: 'document', document: { title: name, snippet: name } }] },
          { sources: [{ type: 'tool', tool_output: { text: name } }] },
        ],
      },
    }),
  ],
  [
    converse,
    'output',
    (name) => ({
      output: {
        message: {
          content: [
            {
              citationsContent: {
                content: [{ text: 'Bob' }],
                citations: [{ title: name, sourceContent: [{ text: name }] }],
              },
            },
          ],
        },
      },
    }),
  ],
];

describe('a body with its texts replaced', () => {
  it.each(quoting)('has new texts in whatever $0.id quotes next to them', (dialect, phase, body) => {
    expect(swapped(dialect, body('Ann'), phase)).toEqual(body('<">'));
  });

  it('empties or omits positional quotes of a replaced text', () => {
    const annotations = [
      { type: 'url_citation', url_citation: { url: 'u', title: 'Ann', start_index: 0, end_index: 3 } },
    ];
    expect(swapped(chat, { choices: [{ message: { content: 'Ann', annotations } }] })).toEqual({
      choices: [{ message: { content: '<">', annotations: [] } }],
    });
    const groundingMetadata = { webSearchQueries: ['Ann'], searchEntryPoint: { renderedContent: '<b>Ann</b>' } };
    expect(swapped(gemini, { candidates: [{ groundingMetadata }] })).toEqual({
      candidates: [{ groundingMetadata: { webSearchQueries: ['<">'] } }],
    });
  });

  it.each(bodies)('has new texts wherever $0.id can have text', (dialect, phase, body) => {
    expect(swapped(dialect, body('Ann'), phase)).toEqual(body('<">'));
  });

  it('is otherwise equal and shares unchanged members', () => {
    const body = { messages: [{ role: 'user', content: 'Ann' }], tools: [{}], stream: false };
    const changed = swapped(chat, body, 'input');
    expect(changed).toEqual({ ...body, messages: [{ role: 'user', content: '<">' }] });
    expect(changed.tools).toBe(body.tools);
  });

  it('empties or omits members that repeat the replaced text, but only in an answer', () => {
    const message = {
      content: 'Ann',
      content_blocks: [{ type: 'text', text: 'Ann' }],
      annotations: [],
      reasoning: 'Bob',
      reasoning_details: [{ type: 'reasoning.text', text: 'Bob' }],
      role: 'assistant',
    };
    const answer = {
      choices: [
        { message, logprobs: { content: [] } },
        { message: { content: 'Bob' }, logprobs: {} },
      ],
    };
    expect(swapped(chat, answer)).toEqual({
      choices: [
        { message: { content: '<">', annotations: [], reasoning: 'Bob', role: 'assistant' } },
        { message: { content: 'Bob' }, logprobs: {} },
      ],
    });
    const request = { messages: [{ role: 'user', content: 'Ann' }], logprobs: true };
    expect(swapped(chat, request, 'input')).toMatchObject({ logprobs: true });
  });

  it('keeps both members if their keys become equal', () => {
    const span: TextSpan = { at: '/a' as TextSpan['at'], text: 'x\n1\ny\n2', kind: 'tool-arguments' };
    const replacements = [
      { span: 0, from: 0, to: 1, with: 'k' },
      { span: 0, from: 4, to: 5, with: 'k' },
    ];
    expect(withTexts({ a: '{"x":1,"y":2}' }, { spans: [span], replacements, phase: 'output' })).toEqual({
      a: '{"k":1,"k_":2}',
    });
  });

  it('cannot be created for a text that is not at its place, but skips a piece without a place', () => {
    const replacements = [{ span: 0, from: 0, to: 1, with: 'k' }];
    const span = (at: string): TextSpan => ({ at: at as TextSpan['at'], text: 'abc', kind: 'text' });
    for (const at of ['/a', '/b', '/c/0', '/d'])
      expect(() =>
        withTexts({ a: 'other', c: [1], d: { e: 1 } }, { spans: [span(at)], replacements, phase: 'input' }),
      ).toThrow(RangeError);
    const body = { a: 'abc' };
    expect(withTexts(body, { spans: [span(rootPointer)], replacements, phase: 'input' })).toBe(body);
  });

  it('is created in linear time', () => {
    const list = Array.from({ length: 100_000 }, () => 'Ann');
    const body = { messages: [{ role: 'user', content: list.map((text) => ({ type: 'text', text })) }] };
    expect(JSON.stringify(swapped(chat, body, 'input'))).not.toContain('Ann');
  });
});

/** Disjoint replacements in a text of the given length. */
const replacementsIn = (length: number): fc.Arbitrary<readonly Replacement[]> =>
  fc.uniqueArray(fc.nat({ max: length }), { maxLength: 8 }).map((ends) => {
    const sorted = [...ends].sort((a, b) => a - b);
    return sorted.flatMap((from, index) => {
      const to = sorted[index + 1];
      return index % 2 === 0 && to !== undefined ? [{ span: 0, from, to, with: `<${index}>` }] : [];
    });
  });

describe('replacements in the strings of a JSON value', () => {
  const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

  it('remove exactly what they cover, line by line, and insert what they add', () => {
    const given = value.chain((each) => fc.tuple(fc.constant(each), replacementsIn(stringsIn(each).join('\n').length)));
    fc.assert(
      fc.property(given, ([each, replacements]) => {
        const text = stringsIn(each).join('\n');
        const letters = [...Array(text.length).keys()].map((at) => text.charAt(at));
        // Line breaks between two strings stay in place.
        const lines = new Set<number>();
        let end = -1;
        for (const line of stringsIn(each).slice(0, -1)) {
          end += line.length + 1;
          lines.add(end);
        }
        for (const { from, to, with: added } of replacements)
          for (let at = from; at < to; at += 1)
            letters[at] = `${at === from ? added : ''}${lines.has(at) ? letters[at] : ''}`;
        const after = stringsIn(replaceInLines(each, replacements)).join('\n');
        // Excludes values with keys that became equal, which get a suffix, and with numeric keys, which come first.
        fc.pre(!/_(?:\n|$)/.test(after) && !/(?:^|\n)\d+(?:\n|$)/.test(after));
        expect(after).toBe(letters.join(''));
      }),
      lawRuns,
    );
  });

  it('change nothing if there are none', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(replaceInLines(each, [])).toEqual(each);
      }),
      lawRuns,
    );
  });
});
