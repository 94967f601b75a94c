import { describe, expect, it } from 'vitest';
import type { Conversation, MediaPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { bothWays, toConversation, written } from '../support/both-ways.ts';
import { chatCodec } from '../support/codecs.ts';

const request = (members: JsonObject): JsonObject => ({ model: 'm', messages: [], ...members });
const tools: readonly Json[] = [
  { type: 'function', function: { name: 'f' } },
  { type: 'custom', custom: { name: 'sql', description: 'Runs a query.' } },
];

describe('a chat request that is read and written again', () => {
  it.each<[string, JsonObject, Partial<Conversation>]>([
    ['service_tier', { service_tier: 'flex' }, { serviceTier: 'flex' }],
    ['logprobs', { logprobs: true, top_logprobs: 2 }, { logprobs: { top: 2 } }],
    ['logprobs without top_logprobs', { logprobs: true }, { logprobs: {} }],
    ['modalities', { modalities: ['text', 'audio'] }, { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: { id: 'v' }, format: 'mp3' } }, { audio: { voice: { id: 'v' }, format: 'mp3' } }],
    ['prompt_cache_key', { prompt_cache_key: 'k' }, { cacheKey: 'k' }],
    ['verbosity', { verbosity: 'low' }, { verbosity: 'low' }],
    ['reasoning_effort', { reasoning_effort: 'low' }, { reasoning: { kind: 'effort', effort: 'low' } }],
    [
      'a custom tool',
      { tools: [{ type: 'custom', custom: { name: 'sql', format: { type: 'text' } } }] },
      { tools: [{ kind: 'custom', name: 'sql', format: { type: 'text' } }] },
    ],
    [
      'a grammar, which a conversation stores without nesting',
      {
        tools: [
          {
            type: 'custom',
            custom: { name: 'sql', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
          },
        ],
      },
      { tools: [{ kind: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'lark', definition: 'x' } }] },
    ],
    [
      'a forced custom tool',
      { tools, tool_choice: { type: 'custom', custom: { name: 'sql' } } },
      { toolChoice: { mode: 'tool', name: 'sql' } },
    ],
    [
      'allowed tools',
      {
        tools,
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: [
              { type: 'function', function: { name: 'f' } },
              { type: 'custom', custom: { name: 'sql' } },
            ],
          },
        },
      },
      { toolChoice: { mode: 'required', allowed: ['f', 'sql'] } },
    ],
  ])('keeps %s', (_what, members, expected) => {
    const { read, written: body, lost } = bothWays(chatCodec, request(members));
    expect(read).toMatchObject(expected);
    expect(body).toEqual(request(members));
    expect(lost).toEqual([]);
  });

  it('keeps allowed tools of a kind that a conversation cannot express', () => {
    const choice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'mcp', server_label: 's' }] },
    };
    const { written: body } = bothWays(chatCodec, request({ tools, tool_choice: choice }));
    expect(body.tool_choice).toEqual(choice);
  });

  it.each<[string, readonly Json[], readonly Turn[]]>([
    [
      'system and developer instructions at their positions',
      [
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'Be brief.' },
        { role: 'system', name: 'clock', content: 'It is noon.' },
      ],
      [
        { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
        { role: 'developer', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'system', name: 'clock', parts: [{ kind: 'text', text: 'It is noon.' }] },
      ],
    ],
    [
      'the call of a custom tool and its result',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '1' },
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
    [
      'earlier audio of the model',
      [{ role: 'assistant', content: null, audio: { id: 'audio_1' } }],
      [
        {
          role: 'assistant',
          parts: [{ kind: 'media', media: 'audio', source: { kind: 'file', id: 'audio_1' } }],
        },
      ],
    ],
    [
      'a thought signature on its call',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'c',
              type: 'function',
              function: { name: 'f', arguments: '{}' },
              extra_content: { google: { thought_signature: 'sig' } },
            },
          ],
        },
      ],
      [
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'thought', value: 'sig' } },
            { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
          ],
        },
      ],
    ],
  ])('keeps turns with %s', (_what, messages, turns) => {
    const wire = { model: 'm', messages };
    const { read, written: body, lost } = bothWays(chatCodec, wire);
    expect(read.turns).toEqual(turns);
    expect(body).toEqual(wire);
    expect(lost).toEqual([]);
  });

  it('loses a video, which is read but never written', () => {
    const messages = [
      { role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://a.example/b.mp4' } }] },
    ];
    const { read, lost } = bothWays(chatCodec, request({ messages }));
    const video = { kind: 'media', media: 'video', source: { kind: 'url', url: 'https://a.example/b.mp4' } };
    expect(read.turns[0]?.parts).toEqual([video]);
    expect(lost).toEqual(['turns[0].parts[0].media']);
  });
});

describe('a chat request for a provider', () => {
  const call = { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' } as const;

  it("sends a thought's signature only to the service that made it, and never the thought's text", () => {
    const thought = (scope: string): Turn => ({
      role: 'assistant',
      parts: [{ kind: 'reasoning', text: 'Hm', bound: { scope, kind: 'thought', value: 'sig' } }, call],
    });
    const sent = (scope: string): string => JSON.stringify(written(chatCodec, toConversation([thought(scope)])));
    expect(sent('here')).toContain('"extra_content":{"google":{"thought_signature":"sig"}}');
    expect(sent('here')).toContain('turns[0].parts[0].reasoning');
    expect(sent('there')).not.toContain('sig"');
    expect(sent('there')).toContain('turns[0].parts[0].reasoning');
  });

  it('reports the members of turns and texts that it cannot express', () => {
    const { lost } = written(
      chatCodec,
      toConversation([
        {
          role: 'assistant',
          id: 'msg_1',
          phase: 'commentary',
          parts: [
            {
              kind: 'text',
              text: 'Hi',
              citations: [{ url: 'https://a.example' }],
              logprobs: [{ token: 'Hi', logprob: -1 }],
            },
            call,
          ],
        },
        { role: 'tool', parts: [{ kind: 'tool-result', id: 'c', name: 'f', parts: [] }] },
      ]),
    );
    expect(lost).toEqual([
      'turns[0].id',
      'turns[0].phase',
      'turns[0].parts[0].citations',
      'turns[0].parts[0].logprobs',
      'turns[1].parts[0].name',
    ]);
  });

  it('has all results of a round directly after its calls, and then what is said in between', () => {
    const url = 'https://a.example/b.png';
    const image: MediaPart = { kind: 'media', media: 'image', source: { kind: 'url', url } };
    const { body, lost } = written(
      chatCodec,
      toConversation([
        { role: 'assistant', parts: [call, { ...call, id: 'd' }] },
        { role: 'tool', parts: [{ kind: 'tool-result', id: 'c', parts: [] }] },
        { role: 'developer', parts: [{ kind: 'text', text: 'Be short.' }] },
        { role: 'tool', parts: [{ kind: 'tool-result', id: 'd', parts: [image] }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Go on.' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] },
      ]),
    );
    expect(body.messages).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c' },
      { role: 'tool', tool_call_id: 'd' },
      { role: 'user', content: [{ text: 'Result of the tool call d:' }, { image_url: { url } }] },
      { role: 'developer', content: 'Be short.' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(lost).toContain('turns[3]');
  });

  it("has a result's JSON value and the result of a provider's own tool as text", () => {
    const { body, lost } = written(
      chatCodec,
      toConversation([
        {
          role: 'assistant',
          parts: [
            { kind: 'server-tool-call', id: 's', name: 'web_search', arguments: '{}', dialect: 'messages', value: {} },
            { kind: 'server-tool-result', id: 's', text: 'Sunny.', dialect: 'messages', value: {} },
            call,
          ],
        },
        { role: 'tool', parts: [{ kind: 'tool-result', id: 'c', parts: [{ kind: 'json', value: { n: 1 } }] }] },
      ]),
    );
    expect(body.messages).toMatchObject([
      { role: 'assistant', content: 'Sunny.' },
      { role: 'tool', content: '{"n":1}' },
    ]);
    expect(lost).toEqual([
      'turns[0].parts[0].server-tool-call',
      'turns[0].parts[1].server-tool-result',
      'turns[1].parts[0].parts[0].json',
    ]);
  });

  it('omits files whose ids belong to another vendor', () => {
    const files = ['file-1', 'file_011C'].map(
      (id) => ({ kind: 'media', media: 'document', source: { kind: 'file', id } }) as const,
    );
    const { body, lost } = written(chatCodec, toConversation([{ role: 'user', parts: files }]));
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }]);
    expect(lost).toEqual(['turns[0].parts[1].media']);
  });
});
