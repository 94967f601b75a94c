import fc from 'fast-check';
import type {
  AnswerFormat,
  Conversation,
  ReasoningRequest,
  Sampling,
  Tool,
  ToolChoice,
} from '../../../../../schema/conversation/conversation.ts';
import { cache, extensionsIn, id, jsonObject, said, schema, sometimes, tokens } from './basics.ts';
import { textPart } from './texts.ts';
import { turns } from './turns.ts';

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };

const functionExtensions = extensionsIn({ chat: 'function', converse: 'toolSpec', cohere: 'function' });
const customExtensions = extensionsIn({ chat: 'custom', converse: 'toolSpec', cohere: 'function' });

const functionMembers = {
  description: said,
  parameters: schema,
  strict: fc.boolean(),
  cache,
  extensions: functionExtensions,
};

const tool: fc.Arbitrary<Tool> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(id, sometimes(functionMembers))
      .map(([name, more]): Tool => ({ kind: 'function', name, ...more })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('google_search', 'computer_use'), sometimes(functionMembers))
      .map(([name, more]): Tool => ({ kind: 'function', name, ...more })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        id,
        sometimes({
          description: said,
          format: fc.constantFrom({ type: 'text' }, grammar),
          extensions: customExtensions,
        }),
      )
      .map(([name, more]): Tool => ({ kind: 'custom', name, ...more })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Tool>(
      { kind: 'other', dialect: 'chat', value: { type: 'browser_search' } },
      { kind: 'other', dialect: 'messages', value: { type: 'web_search_20250305', name: 'web_search' } },
      { kind: 'other', dialect: 'gemini', value: { googleSearch: {} } },
      { kind: 'other', dialect: 'elsewhere', value: { type: 'its_own' } },
    ),
  },
);

const toName = (each: Tool): string => (each.kind === 'other' ? JSON.stringify(each.value) : each.name);

const tools: fc.Arbitrary<readonly Tool[]> = fc.uniqueArray(tool, { maxLength: 3, selector: toName });

/** A choice among the tools of the request. */
const choiceAmong = (names: readonly string[]): fc.Arbitrary<ToolChoice> =>
  fc
    .tuple(
      fc.oneof(
        fc.record({ mode: fc.constantFrom('auto' as const, 'none' as const, 'required' as const) }),
        fc.record({ mode: fc.constant('tool' as const), name: names.length > 0 ? fc.constantFrom(...names) : id }),
        ...(names.length === 0
          ? []
          : [
              fc.record({
                mode: fc.constantFrom('auto' as const, 'required' as const),
                allowed: fc.subarray([...names], { minLength: 1 }),
              }),
            ]),
      ),
      sometimes({ parallel: fc.boolean() }),
    )
    .map(([mode, more]) => ({ ...mode, ...more }));

const tooling: fc.Arbitrary<Pick<Conversation, 'tools' | 'toolChoice'>> = tools.chain((list) => {
  const names = list.flatMap((each) => (each.kind === 'other' ? [] : [each.name]));
  return sometimes({ toolChoice: choiceAmong(names) }).map((more) => ({ tools: list, ...more }));
});

const sampling: fc.Arbitrary<Sampling> = sometimes<Required<Sampling>>({
  maxTokens: fc.integer({ min: 1, max: 9000 }),
  temperature: fc.constantFrom(0, 0.5, 1, 1.5),
  topP: fc.constantFrom(0.1, 1),
  topK: fc.constantFrom(1, 40),
  stop: fc.array(fc.oneof({ weight: 4, arbitrary: said }, { weight: 1, arbitrary: fc.constant('\n') }), {
    minLength: 1,
    // More than any format allows.
    maxLength: 6,
  }),
  seed: tokens,
  presencePenalty: fc.constantFrom(-1, 0.5),
  frequencyPenalty: fc.constantFrom(-1, 0.5),
  count: fc.constantFrom(2, 3),
});

const answerFormat: fc.Arbitrary<AnswerFormat> = fc.oneof(
  fc.constantFrom<AnswerFormat>({ kind: 'text' }, { kind: 'json' }),
  fc
    .tuple(schema, sometimes({ name: id, strict: fc.boolean(), description: said }))
    .map(([of, more]): AnswerFormat => ({ kind: 'schema', schema: of, ...more })),
);

const reasoning: fc.Arbitrary<ReasoningRequest> = fc.oneof(
  fc
    .constantFrom('none', 'minimal', 'low', 'high', 'max')
    .map((effort): ReasoningRequest => ({ kind: 'effort', effort })),
  fc.integer({ min: 1024, max: 9000 }).map((budget): ReasoningRequest => ({ kind: 'budget', tokens: budget })),
  fc.constantFrom<ReasoningRequest>({ kind: 'adaptive' }, { kind: 'off' }),
);

const extensions: fc.Arbitrary<Conversation['extensions']> = sometimes({
  chat: fc.record({ logit_bias: jsonObject, store: fc.boolean() }),
  messages: fc.record({ container: id, mcp_servers: fc.constant([]) }),
  gemini: fc.record({ cachedContent: id, generationConfig: fc.constant({ speechConfig: { languageCode: 'fr' } }) }),
  elsewhere: fc.record({ its_own: fc.boolean() }),
}) as fc.Arbitrary<Conversation['extensions']>;

/** Members that no other arbitrary in this file generates, so that every member of a conversation is generated. */
type More = Required<
  Omit<Conversation, 'system' | 'turns' | 'tools' | 'toolChoice' | 'sampling' | 'stream' | 'extensions'>
>;

/** Members of a request that were added later to one dialect or another. */
const more: fc.Arbitrary<Partial<More>> = sometimes<More>({
  model: fc.constantFrom(
    'gpt-4o',
    'gpt-5-mini',
    'claude-opus-5',
    'claude-sonnet-4-5-20250929',
    'gemini-2.5-flash',
    'gemini-2.5-pro',
    'gemini-3-pro-preview',
    'us.amazon.nova-2-lite-v1:0',
    'meta.llama3-3-70b-instruct-v1:0',
  ),
  streamUsage: fc.boolean(),
  answerFormat,
  reasoning,
  user: said,
  serviceTier: fc.constantFrom('auto', 'default', 'flex', 'priority'),
  logprobs: sometimes({ top: fc.integer({ min: 0, max: 5 }) }),
  modalities: fc.constantFrom(['text'], ['text', 'audio'], ['text', 'image']),
  audio: fc.record({
    voice: fc.oneof(fc.constant('alloy'), fc.record({ id })),
    format: fc.constantFrom('mp3', 'wav', 'pcm16'),
  }),
  cacheKey: said,
  verbosity: fc.constantFrom('low', 'medium', 'high'),
});

/** Any conversation, including what some dialects cannot express. */
export const conversations: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.record({
      system: fc.array(textPart, { maxLength: 2 }),
      turns,
      sampling,
      stream: fc.boolean(),
      extensions,
    }),
    tooling,
    more,
  )
  .map(([conversation, itsTools, rest]) => ({ ...conversation, ...itsTools, ...rest }));
