import type { JsonObject } from '../../schema/json.ts';

/** A tool's call, as the model made it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** What a client says in one request. */
export interface Ask {
  readonly system?: string;
  readonly user: string;
  readonly image?: { readonly mimeType: string; readonly base64: string };
  readonly document?: { readonly mimeType: string; readonly base64: string; readonly name: string };
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly schema: JsonObject }[];
  /** An earlier step of the conversation: what the model called, and the results. */
  readonly earlier?: {
    readonly calls: readonly Call[];
    readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  };
  /** The answer must be JSON of this schema. */
  readonly schema?: { readonly name: string; readonly schema: JsonObject };
  /** The model should reason before it answers. */
  readonly reasoning?: true;
  readonly maxTokens: number;
}

/** What the provider answers. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly reasoning?: string;
      /** The provider's own proof of its reasoning, if its format has one. */
      readonly signature?: string;
      readonly text?: string;
      readonly calls?: readonly Call[];
      readonly finish: 'stop' | 'length' | 'tool-calls' | 'refusal';
      readonly usage: { readonly input: number; readonly output: number };
    }
  | { readonly kind: 'error'; readonly status: number; readonly message: string };

/** One feature, as a request and its answer. */
export interface Scenario {
  readonly id: string;
  readonly ask: Ask;
  readonly answer: Answer;
}

/** What a provider understood of a request, in the format that it speaks. */
export interface Heard {
  readonly stream: boolean;
  readonly model: string;
  readonly system: readonly string[];
  /** The texts of users, in order. */
  readonly user: readonly string[];
  /** Base64. */
  readonly images: readonly string[];
  readonly documents: readonly string[];
  readonly tools: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly calls: readonly Call[];
  /** The id is empty where the format pairs results by name or order. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  readonly schema?: JsonObject;
  readonly reasoning: boolean;
  readonly maxTokens?: number;
}

/** What a client was told, as its official library gives it. */
export interface Told {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly refusal: string;
  /** In the client's own words. */
  readonly finish: string;
  readonly usage?: { readonly input: number; readonly output: number };
  readonly error?: { readonly status: number; readonly message: string };
  /** The header `x-gw-dropped-params`. */
  readonly dropped: readonly string[];
}

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

/** Every feature of the matrix. */
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
    id: 'refusal',
    ask: { user: 'Something forbidden.', maxTokens: 100 },
    answer: { kind: 'answer', text: 'I cannot help with that.', finish: 'refusal', usage },
  },
  {
    id: 'max tokens',
    ask: { user: 'Tell a long story.', maxTokens: 100 },
    answer: { kind: 'answer', text: 'Once upon a', finish: 'length', usage },
  },
];
