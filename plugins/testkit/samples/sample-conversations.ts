import type { Conversation, ToolCallPart } from '../../../schema/conversation/conversation.ts';

const base: Conversation = {
  model: 'a-model',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello, wörld 👋' }] }],
  tools: [],
  sampling: { maxTokens: 64 },
  stream: false,
  extensions: {},
};

const call: ToolCallPart = { kind: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' };

const query: ToolCallPart = { kind: 'tool-call', id: 'call_2', name: 'sql', arguments: 'select 1', input: 'text' };

const weather = {
  kind: 'function',
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

/** The simplest question. */
export const plainConversation: Conversation = base;

/** One conversation for each feature of a dialect, by description. */
export const sampleConversations: Readonly<Record<string, Conversation>> = {
  'a plain question': base,
  'a streamed question': { ...base, stream: true },
  'a system text': { ...base, system: [{ kind: 'text', text: 'Be brief.' }] },
  'several turns': {
    ...base,
    turns: [
      ...base.turns,
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'And now?' }] },
    ],
  },
  sampling: { ...base, sampling: { maxTokens: 5, temperature: 0.5, topP: 0.9, stop: ['END'] } },
  'an image': {
    ...base,
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'What is this?' },
          { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
    ],
  },
  'a tool': { ...base, tools: [weather], toolChoice: { mode: 'auto' } },
  'a forced tool': { ...base, tools: [weather], toolChoice: { mode: 'tool', name: 'weather' } },
  'a tool call and its result': {
    ...base,
    tools: [weather],
    turns: [
      ...base.turns,
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ kind: 'tool-result', id: call.id, parts: [{ kind: 'text', text: 'Sunny.' }] }] },
    ],
  },
  'an instruction further on': {
    ...base,
    turns: [...base.turns, { role: 'developer', parts: [{ kind: 'text', text: 'Answer in French.' }] }],
  },
  'a custom tool, its call and its result': {
    ...base,
    tools: [{ kind: 'custom', name: 'sql', description: 'Runs a query.' }],
    turns: [
      ...base.turns,
      { role: 'assistant', parts: [query] },
      {
        role: 'tool',
        parts: [{ kind: 'tool-result', id: query.id, input: 'text', parts: [{ kind: 'json', value: [{ n: 1 }] }] }],
      },
    ],
  },
  'allowed tools': { ...base, tools: [weather], toolChoice: { mode: 'required', allowed: ['weather'] } },
  'signed reasoning': {
    ...base,
    turns: [
      ...base.turns,
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Hm.', bound: { scope: 'here', kind: 'signature', value: 'c2ln' } },
          { kind: 'text', text: 'Hello.' },
        ],
      },
    ],
  },
  'what only some formats have': {
    ...base,
    serviceTier: 'flex',
    logprobs: { top: 2 },
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'mp3' },
    cacheKey: 'greetings',
    verbosity: 'low',
  },
  'a video': {
    ...base,
    turns: [
      {
        role: 'user',
        parts: [{ kind: 'media', media: 'video', source: { kind: 'base64', mimeType: 'video/mp4', data: 'AAAA' } }],
      },
    ],
  },
};
