import type { Call, Scenario } from './scenario.ts';

const weather = {
  name: 'get_weather',
  description: 'The weather of a city.',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
} as const;

const graz: Call = { id: 'call_graz', name: 'get_weather', args: { city: 'Graz', days: 2 } };
const wien: Call = { id: 'call_wien', name: 'get_weather', args: { city: 'Wien "am Hof"' } };
const usage = { input: 21, output: 9 };
/** A red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

/** Every feature in the matrix, as a request and its answer. */
export const scenarios: readonly Scenario[] = [
  {
    id: 'text',
    ask: { system: 'Be brief.', user: 'Say hello — in Grüße 👋.', maxTokens: 100 },
    answer: { kind: 'answer', text: 'Hello — Grüße 👋!', finish: 'stop', usage },
  },
  {
    id: 'tools',
    ask: { user: 'What is the weather in Graz?', tools: [weather], maxTokens: 100 },
    answer: { kind: 'answer', text: 'Let me look.', calls: [graz], finish: 'tool-calls', usage },
  },
  {
    id: 'parallel tools',
    ask: {
      user: 'And in both?',
      tools: [weather],
      earlier: {
        calls: [graz, wien],
        results: [
          { id: graz.id, name: graz.name, text: 'Sunny.' },
          { id: wien.id, name: wien.name, text: 'Rain, 12 °C.' },
        ],
      },
      maxTokens: 100,
    },
    answer: { kind: 'answer', calls: [graz, wien], finish: 'tool-calls', usage },
  },
  {
    id: 'next turn',
    ask: { user: 'Think, then look in both.', tools: [weather], reasoning: true, maxTokens: 4000 },
    answer: {
      kind: 'answer',
      reasoning: 'Both are asked for.',
      signature: 'c2lnbmF0dXJl',
      text: 'Let me look.',
      calls: [graz, wien],
      finish: 'tool-calls',
      usage,
    },
    next: {
      results: ['Sunny.', 'Rain, 12 °C.'],
      answer: { kind: 'answer', text: 'Sun here, rain there.', finish: 'stop', usage },
    },
  },
  {
    id: 'image',
    ask: { user: 'What is this?', image: { mimeType: 'image/png', base64: pixel }, maxTokens: 100 },
    answer: { kind: 'answer', text: 'A red pixel.', finish: 'stop', usage },
  },
  {
    id: 'document',
    ask: {
      user: 'Summarise.',
      document: { mimeType: 'application/pdf', base64: pdf, name: 'empty.pdf' },
      maxTokens: 100,
    },
    answer: { kind: 'answer', text: 'It is empty.', finish: 'stop', usage },
  },
  {
    id: 'schema',
    ask: {
      user: 'Name a city.',
      schema: {
        name: 'city',
        schema: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
      maxTokens: 100,
    },
    answer: { kind: 'answer', text: '{"city":"Graz"}', finish: 'stop', usage },
  },
  {
    id: 'reasoning',
    ask: { user: 'Think first.', reasoning: true, maxTokens: 4000 },
    answer: {
      kind: 'answer',
      reasoning: 'One and one is two.',
      signature: 'c2lnbmF0dXJl',
      text: 'Two.',
      finish: 'stop',
      usage,
    },
  },
  {
    id: 'error',
    ask: { user: 'Too fast.', maxTokens: 100 },
    answer: { kind: 'error', status: 429, message: 'Slow down, please.' },
  },
  {
    id: 'retry',
    ask: { user: 'Too fast, once.', maxTokens: 100 },
    refused: { kind: 'error', status: 429, message: 'Slow down, please.', waitS: 1 },
    answer: { kind: 'answer', text: 'Now it is fine.', finish: 'stop', usage },
  },
  {
    id: 'refusal',
    ask: { user: 'Something forbidden.', maxTokens: 100 },
    answer: { kind: 'answer', text: 'I cannot help with that.', finish: 'refusal', usage },
  },
  {
    id: 'max tokens',
    ask: { user: 'Write a long story.', maxTokens: 100 },
    answer: { kind: 'answer', text: 'Once upon a', finish: 'length', usage },
  },
  {
    id: 'usage',
    ask: { user: 'Count to three.', maxTokens: 100 },
    answer: {
      kind: 'answer',
      text: 'One, two, three.',
      finish: 'stop',
      usage: { input: 2100, output: 90, cached: 2048, reasoning: 60 },
    },
  },
];

const ofLibraries = ['text', 'tools', 'parallel tools', 'next turn', 'schema', 'reasoning', 'error', 'retry', 'usage'];

/** The scenarios for libraries that are not from a dialect's vendor. */
export const libraryScenarios: readonly Scenario[] = scenarios.filter(({ id }) => ofLibraries.includes(id));
