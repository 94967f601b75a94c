import { describe, expect, it } from 'vitest';
import type { Conversation, Part, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { bothWays, toConversation, written } from '../support/both-ways.ts';
import { messagesCodec } from '../support/codecs.ts';

const model = 'claude-opus-5';
const user = (content: Json): JsonObject => ({ role: 'user', content });
const assistant = (content: Json): JsonObject => ({ role: 'assistant', content });
const request = (members: JsonObject): JsonObject => ({ model, max_tokens: 100, messages: [], ...members });
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const plain = (words: string): string => Buffer.from(words).toString('base64');

const said = (role: Turn['role'], words: string): Turn => ({ role, parts: [{ kind: 'text', text: words }] });

describe('a messages request that is read and written again', () => {
  it.each<[string, readonly JsonObject[], readonly Turn[]]>([
    [
      'instructions at their position',
      [user([text('Hi')]), { role: 'system', content: [text('Be brief.')] }, assistant([text('Yes.')])],
      [said('user', 'Hi'), said('system', 'Be brief.'), said('assistant', 'Yes.')],
    ],
    [
      'citations of a document in an earlier text',
      [
        assistant([
          {
            ...text('So it is.'),
            citations: [
              {
                type: 'page_location',
                cited_text: 'is so',
                document_index: 1,
                document_title: 'T',
                start_page_number: 2,
                end_page_number: 3,
              },
            ],
          },
        ]),
      ],
      [
        {
          role: 'assistant',
          parts: [
            {
              kind: 'text',
              text: 'So it is.',
              citations: [{ source: 1, title: 'T', quote: 'is so', at: { unit: 'page', from: 2, to: 3 } }],
            },
          ],
        },
      ],
    ],
    [
      "the provider's own tools",
      [
        assistant([
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's',
            content: [
              {
                type: 'web_search_result',
                url: 'https://a.example',
                title: 'A',
                encrypted_content: 'xx',
                page_age: null,
              },
            ],
          },
        ]),
      ],
      [
        {
          role: 'assistant',
          parts: [
            {
              kind: 'server-tool-call',
              id: 's',
              name: 'web_search',
              arguments: '{"query":"q"}',
              dialect: 'messages',
              value: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
            },
            {
              kind: 'server-tool-result',
              id: 's',
              text: 'A\nhttps://a.example',
              dialect: 'messages',
              value: {
                type: 'web_search_tool_result',
                tool_use_id: 's',
                content: [
                  {
                    type: 'web_search_result',
                    url: 'https://a.example',
                    title: 'A',
                    encrypted_content: 'xx',
                    page_age: null,
                  },
                ],
              },
            },
          ],
        },
      ],
    ],
    [
      'a call that represents a custom tool call, and its result',
      [
        assistant([{ type: 'tool_use', id: 'c', name: 'sql', input: { gw_input: 'select 1' } }]),
        user([{ type: 'tool_result', tool_use_id: 'c', content: [text('1')] }]),
      ],
      [
        {
          role: 'assistant',
          parts: [{ kind: 'tool-call', id: 'c', name: 'sql', arguments: 'select 1', input: 'text' }],
        },
        {
          role: 'tool',
          parts: [{ kind: 'tool-result', id: 'c', input: 'text', parts: [{ kind: 'text', text: '1' }] }],
        },
      ],
    ],
  ])('keeps %s', (_what, messages, turns) => {
    const { read, written: body, lost } = bothWays(messagesCodec, request({ messages }));
    expect(read.turns).toEqual(turns);
    expect(body.messages).toEqual(messages);
    expect(lost).toEqual([]);
  });

  it.each<[string, string]>([
    ['auto', 'auto'],
    ['standard_only', 'default'],
  ])('keeps the service tier %s', (wire, serviceTier) => {
    const { read, written: body } = bothWays(messagesCodec, request({ service_tier: wire }));
    expect(read.serviceTier).toBe(serviceTier);
    expect(body.service_tier).toBe(wire);
  });

  it.each<[string, JsonObject, readonly Part[]]>([
    [
      'the context of a document as a text before it',
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
        title: 'T',
        context: 'From 1999.',
        citations: { enabled: true },
      },
      [
        { kind: 'text', text: 'From 1999.' },
        {
          kind: 'media',
          media: 'document',
          source: { kind: 'base64', mimeType: 'text/plain', data: plain('Words.') },
          name: 'T',
        },
      ],
    ],
    [
      'a document in pieces as one text',
      { type: 'document', source: { type: 'content', content: [text('One.'), text('Two.')] } },
      [
        {
          kind: 'media',
          media: 'document',
          source: { kind: 'base64', mimeType: 'text/plain', data: plain('One.\nTwo.') },
        },
      ],
    ],
    [
      'a search result as its title, its source and its text',
      { type: 'search_result', source: 'https://a.example', title: 'A', content: [text('Words.')] },
      [{ kind: 'text', text: 'A\nhttps://a.example\nWords.' }],
    ],
    [
      'a document with images unchanged',
      { type: 'document', source: { type: 'content', content: [{ type: 'image', source: {} }] } },
      [
        {
          kind: 'other',
          dialect: 'messages',
          value: { type: 'document', source: { type: 'content', content: [{ type: 'image', source: {} }] } },
        },
      ],
    ],
  ])('has %s', (_what, block, parts) => {
    expect(bothWays(messagesCodec, request({ messages: [user([block])] })).read.turns).toEqual([
      { role: 'user', parts },
    ]);
  });

  it('keeps asking for citations in all of its documents', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Words.' };
    const document = { type: 'document', source, citations: { enabled: true } };
    const wire = request({ messages: [user([document, document])] });
    const { read, written: body, lost } = bothWays(messagesCodec, wire);
    expect(read.extensions).toEqual({ messages: { citations: { enabled: true } } });
    expect(body).toEqual(wire);
    expect(lost).toEqual([]);
  });

  it('asks for citations in all of its documents if the client does so in one', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Words.' };
    const document = { type: 'document', source };
    const citing = { ...document, citations: { enabled: true } };
    const { written } = bothWays(messagesCodec, request({ messages: [user([document, citing])] }));
    expect(written).toMatchObject({ messages: [{ content: [citing, citing] }] });
  });
});

describe('later instructions in a messages request', () => {
  const written1 = (of: string, turns: readonly Turn[]): { messages: Json | undefined; lost: readonly string[] } => {
    const { body, lost } = written(messagesCodec, toConversation(turns, { model: of }));
    return { messages: body.messages, lost };
  };
  const after = [said('user', 'Hi'), said('developer', 'Be brief.')];

  it.each(['claude-opus-4-8', 'claude-opus-5-5', 'anthropic.claude-fable-5-v1:0', 'claude-mythos-5-1'])(
    'are system messages for %s',
    (of) => {
      expect(written1(of, after)).toEqual({
        messages: [user([text('Hi')]), { role: 'system', content: [text('Be brief.')] }],
        lost: ['turns[1].role'],
      });
    },
  );

  it.each(['claude-opus-4-7', 'claude-sonnet-5', 'claude-haiku-4-5', 'claude-opus-4-20250514'])(
    'are part of the user message for %s',
    (of) => {
      expect(written1(of, after)).toEqual({
        messages: [user([text('Hi'), text('Be brief.')])],
        lost: ['turns[1].role', 'turns[1]'],
      });
    },
  );

  it('are part of the user message where the API rejects system messages', () => {
    const { messages, lost } = written1(model, [
      said('user', 'Hi'),
      said('assistant', 'Hello.'),
      said('system', 'Be brief.'),
      said('user', 'And?'),
    ]);
    expect(messages).toEqual([
      user([text('Hi')]),
      assistant([text('Hello.')]),
      user([text('Be brief.'), text('And?')]),
    ]);
    expect(lost).toEqual(['turns[2].role', 'turns[3]']);
  });

  it('before the first turn become the system prompt, or the user message if there is no other', () => {
    const first = [said('developer', 'Be brief.'), said('user', 'Hi')];
    const { body, lost } = written(messagesCodec, toConversation(first, { model }));
    expect(body).toMatchObject({ system: [text('Be brief.')], messages: [user([text('Hi')])] });
    expect(lost).toEqual(['system', 'turns[0]']);
    expect(written1(model, first.slice(0, 1)).messages).toEqual([user([text('Be brief.')])]);
  });
});

describe('a messages request', () => {
  it('has a custom tool as a function with one string, and reports a lost format', () => {
    const custom = { kind: 'custom', name: 'sql', description: 'Runs a query.' } as const;
    const { body, lost } = written(
      messagesCodec,
      toConversation([], { tools: [custom, { ...custom, name: 'q', format: { type: 'text' } }] }),
    );
    expect(body.tools).toMatchObject([
      { name: 'sql', description: 'Runs a query.', input_schema: { type: 'object', required: ['gw_input'] } },
      { name: 'q' },
    ]);
    expect(lost).toEqual(['tools[1].format']);
    expect(messagesCodec.decodeRequest(body, { scope: 'here' }).tools).toEqual([custom, { ...custom, name: 'q' }]);
  });

  it('sends only the tools that may be called', () => {
    const tools = ['f', 'g'].map((name) => ({ kind: 'function', name, parameters: { type: 'object' } }) as const);
    const { body, lost } = written(
      messagesCodec,
      toConversation([], { tools, toolChoice: { mode: 'required', allowed: ['g'] } }),
    );
    expect(body).toMatchObject({ tools: [{ name: 'g' }], tool_choice: { type: 'any' } });
    expect(body.tools).toHaveLength(1);
    expect(lost).toEqual(['toolChoice.allowed', 'tools[0]']);
  });

  it.each<[string, Partial<Conversation>]>([
    ['logprobs', { logprobs: {} }],
    ['modalities', { modalities: ['text'] }],
    ['audio', { audio: { voice: 'alloy' } }],
    ['cacheKey', { cacheKey: 'k' }],
    ['verbosity', { verbosity: 'low' }],
    ['serviceTier', { serviceTier: 'flex' }],
    ['sampling.count', { sampling: { maxTokens: 100, count: 2 } }],
  ])('reports the loss of %s', (member, more) => {
    expect(written(messagesCodec, toConversation([], more)).lost).toEqual([member]);
  });

  it.each<[string, Part, JsonObject | undefined, readonly string[]]>([
    [
      'a thought of Gemini',
      { kind: 'reasoning', text: 'Hm', bound: { scope: 'here', kind: 'thought', value: 's' } },
      undefined,
      ['turns[0].parts[0].reasoning', 'turns[0]'],
    ],
    [
      'a search result of another provider',
      { kind: 'server-tool-result', id: 's', text: 'Sunny.', dialect: 'responses', value: {} },
      text('Sunny.'),
      ['turns[0].parts[0].server-tool-result'],
    ],
    [
      'a citation of a web page, whose index only its provider knows',
      { kind: 'text', text: 'Hi', citations: [{ url: 'https://a.example', quote: 'Hi' }] },
      text('Hi'),
      ['turns[0].parts[0].citations'],
    ],
    [
      'a video',
      { kind: 'media', media: 'video', source: { kind: 'url', url: 'https://a.example/b.mp4' } },
      undefined,
      ['turns[0].parts[0].media', 'turns[0]'],
    ],
    [
      'a file that another vendor stores',
      { kind: 'media', media: 'image', source: { kind: 'file', id: 'file-1' } },
      undefined,
      ['turns[0].parts[0].media', 'turns[0]'],
    ],
    [
      'a file that Anthropic stores',
      { kind: 'media', media: 'image', source: { kind: 'file', id: 'file_1' } },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      [],
    ],
  ])('sends what it can of %s', (_what, part, block, expected) => {
    const { body, lost } = written(messagesCodec, toConversation([{ role: 'assistant', parts: [part] }]));
    expect(body.messages).toEqual(block === undefined ? [] : [assistant([block])]);
    expect(lost).toEqual(expected);
  });

  it('sends redacted reasoning without its summary', () => {
    const bound = { scope: 'here', kind: 'encrypted', value: 'x' } as const;
    const reasoning: Part = { kind: 'reasoning', text: '', summary: ['S.'], bound };
    const { body, lost } = written(
      messagesCodec,
      toConversation([{ role: 'assistant', parts: [reasoning, ...said('assistant', 'Hi').parts] }], { model }),
    );
    expect([body.messages, lost]).toEqual([
      [assistant([{ type: 'redacted_thinking', data: 'x' }, text('Hi')])],
      ['turns[0].parts[0].summary'],
    ]);
  });

  it("has a result's JSON value as text, without the name of its tool", () => {
    const { body, lost } = written(
      messagesCodec,
      toConversation([
        { role: 'tool', parts: [{ kind: 'tool-result', id: 'c', name: 'f', parts: [{ kind: 'json', value: [1] }] }] },
      ]),
    );
    expect(body.messages).toEqual([user([{ type: 'tool_result', tool_use_id: 'c', content: [text('[1]')] }])]);
    expect(lost).toEqual(['turns[0].parts[0].name', 'turns[0].parts[0].parts[0].json']);
  });
});

describe('blank text in a messages request', () => {
  const blank = { kind: 'text', text: '\n\n' } as const;

  it('is omitted, including the white space that other models write before their calls', () => {
    const call = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' } as const;
    const { body, lost } = written(
      messagesCodec,
      toConversation([
        said('user', 'Hi'),
        { role: 'assistant', parts: [blank, call] },
        { role: 'user', parts: [blank] },
      ]),
    );
    expect(body.messages).toEqual([
      user([text('Hi')]),
      assistant([{ type: 'tool_use', id: 'c', name: 'f', input: {} }]),
    ]);
    expect(lost).toEqual(['turns[1].parts[0].text', 'turns[2].parts[0].text', 'turns[2]']);
  });

  it('is replaced in the result of a failed tool, because the API requires a text there', () => {
    const result = { kind: 'tool-result', id: 'c', failed: true, parts: [blank] } as const;
    const { body, lost } = written(messagesCodec, toConversation([{ role: 'tool', parts: [result] }]));
    const content = [text('The tool failed.')];
    expect(body.messages).toEqual([user([{ type: 'tool_result', tool_use_id: 'c', content, is_error: true }])]);
    expect(lost).toEqual(['turns[0].parts[0].parts[0].text', 'turns[0].parts[0].parts']);
  });
});
