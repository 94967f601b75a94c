import fc from 'fast-check';
import type {
  Answer,
  AnswerChoice,
  AnswerFormat,
  BoundValue,
  CacheHint,
  Conversation,
  Finish,
  MediaPart,
  Part,
  ReasoningRequest,
  Sampling,
  TextPart,
  Tool,
  ToolChoice,
  ToolResultPart,
  Turn,
  Usage,
} from '../../../schema/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';

/** The object, with each member absent half of the time. */
const sometimes = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  // The library's own type says the same at more length.
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const said: fc.Arbitrary<string> = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const text: fc.Arbitrary<string> = fc.oneof({ weight: 8, arbitrary: said }, { weight: 1, arbitrary: fc.constant('') });
const id: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/);
const jsonObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(id, fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>, { maxKeys: 3 })
  // Through JSON once, as everything on a wire is: it has no -0.
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const base64: fc.Arbitrary<string> = fc.base64String({ minLength: 4, maxLength: 16 });
const textAsBase64: fc.Arbitrary<string> = said.map((value) => Buffer.from(value, 'utf8').toString('base64'));
const cache: fc.Arbitrary<CacheHint> = sometimes({ ttl: fc.constantFrom('5m', '1h') });
const tokens: fc.Arbitrary<number> = fc.integer({ min: 0, max: 100_000 });

const source: fc.Arbitrary<MediaPart['source']> = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() }),
  fc.record({ kind: fc.constant('base64' as const), mimeType: fc.constant('image/png'), data: base64 }),
  fc.record({ kind: fc.constant('file' as const), id }),
);
const documentSource: fc.Arbitrary<MediaPart['source']> = fc.oneof(
  source.filter(({ kind }) => kind !== 'base64'),
  fc.record({ kind: fc.constant('base64' as const), mimeType: fc.constant('application/pdf'), data: base64 }),
  fc.record({
    kind: fc.constant('base64' as const),
    mimeType: fc.constantFrom('text/plain', 'text/markdown'),
    data: textAsBase64,
  }),
);

const textPart: fc.Arbitrary<TextPart> = fc
  .tuple(text, sometimes({ cache }))
  .map(([value, more]) => ({ kind: 'text', text: value, ...more }));

const media = (kind: MediaPart['media'], from: fc.Arbitrary<MediaPart['source']>): fc.Arbitrary<MediaPart> =>
  fc
    .tuple(from, sometimes({ name: said, detail: fc.constantFrom('low', 'high'), cache }))
    .map(([value, more]) => ({ kind: 'media', media: kind, source: value, ...more }));

const mediaPart: fc.Arbitrary<MediaPart> = fc.oneof(
  media('image', source),
  media('document', documentSource),
  media('audio', fc.record({ kind: fc.constant('base64' as const), mimeType: fc.constant('audio/wav'), data: base64 })),
);

const otherPart: fc.Arbitrary<Part & { kind: 'other' }> = fc.constantFrom(
  { kind: 'other', dialect: 'chat', value: { type: 'custom', id: 'c1', custom: { name: 'sql', input: 'select 1' } } },
  { kind: 'other', dialect: 'messages', value: { type: 'search_result', source: 's', title: 't', content: [] } },
  { kind: 'other', dialect: 'gemini', value: { partMetadata: { source: 's' } } },
);

const argumentsText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: jsonObject.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom('', '{"city": "Lyon"}', '{"half', '[1]') },
);

const callPart: fc.Arbitrary<Part> = fc
  .record({ kind: fc.constant('tool-call' as const), id, name: id, arguments: argumentsText })
  .chain((call) => sometimes({ cache }).map((more) => ({ ...call, ...more })));

const resultPart: fc.Arbitrary<ToolResultPart> = fc
  .tuple(
    id,
    fc.array(fc.oneof({ weight: 6, arbitrary: textPart }, { weight: 2, arbitrary: mediaPart }, otherPart), {
      maxLength: 3,
    }),
    sometimes({ failed: fc.constant(true as const), cache }),
  )
  .map(([call, parts, more]) => ({ kind: 'tool-result', id: call, parts, ...more }));

/** Made by the target of the laws, or by another. */
const bound = (kind: BoundValue['kind']): fc.Arbitrary<BoundValue> =>
  fc.record({ scope: fc.constantFrom('here', 'here', 'there'), kind: fc.constant(kind), value: said });

const reasoningPart: fc.Arbitrary<Part> = fc.oneof(
  said.map((value): Part => ({ kind: 'reasoning', text: value })),
  fc.tuple(text, bound('signature')).map(([value, by]): Part => ({ kind: 'reasoning', text: value, bound: by })),
  bound('encrypted').map((by): Part => ({ kind: 'reasoning', text: '', bound: by })),
);

const refusalPart: fc.Arbitrary<Part> = said.map((value) => ({ kind: 'refusal', text: value }));

const turn = (role: Turn['role'], parts: fc.Arbitrary<readonly Part[]>): fc.Arbitrary<Turn> =>
  fc
    .tuple(parts, fc.option(id, { freq: 5, nil: undefined }))
    .map(([list, name]) => ({ role, parts: list, ...(name === undefined || role === 'tool' ? {} : { name }) }));

const anyTurn: fc.Arbitrary<Turn> = fc.oneof(
  turn(
    'user',
    fc.array(fc.oneof({ weight: 6, arbitrary: textPart }, { weight: 2, arbitrary: mediaPart }, otherPart, callPart), {
      maxLength: 3,
    }),
  ),
  turn(
    'assistant',
    fc
      .tuple(
        fc.array(reasoningPart, { maxLength: 1 }),
        fc.array(fc.oneof({ weight: 5, arbitrary: textPart }, refusalPart), { maxLength: 2 }),
        fc.array(fc.oneof({ weight: 5, arbitrary: callPart }, otherPart), { maxLength: 2 }),
      )
      .map((lists) => lists.flat()),
  ),
  turn('assistant', fc.array(fc.oneof(textPart, callPart, mediaPart), { maxLength: 3 })),
  turn('tool', fc.array(resultPart, { minLength: 1, maxLength: 2 })),
  turn('tool', fc.array(fc.oneof(resultPart, textPart), { maxLength: 3 })),
);

const plainText: fc.Arbitrary<TextPart> = said.map((value) => ({ kind: 'text', text: value }));
const plainImage: fc.Arbitrary<Part> = source
  .filter(({ kind }) => kind !== 'file')
  .map((value) => ({ kind: 'media', media: 'image', source: value }));
const plainCall: fc.Arbitrary<Part> = fc
  .tuple(id, id, jsonObject)
  .map(([call, name, input]) => ({ kind: 'tool-call', id: call, name, arguments: JSON.stringify(input) }));
const plainResult: fc.Arbitrary<Part> = fc
  .tuple(id, fc.array(plainText, { maxLength: 2 }))
  .map(([call, parts]) => ({ kind: 'tool-result', id: call, parts }));
const turnOf = (role: Turn['role'], parts: fc.Arbitrary<readonly Part[]>): fc.Arbitrary<Turn> =>
  parts.map((list) => ({ role, parts: list }));

/** A question, calls, their results, and what the model makes of them: turns that every dialect has words for. */
const plainRound: fc.Arbitrary<readonly Turn[]> = fc
  .tuple(
    turnOf('user', fc.array(fc.oneof(plainText, plainImage), { minLength: 1, maxLength: 3 })),
    turnOf(
      'assistant',
      fc
        .tuple(fc.array(plainText, { maxLength: 2 }), fc.array(plainCall, { minLength: 1, maxLength: 3 }))
        .map(([texts, calls]) => [...texts, ...calls]),
    ),
    turnOf('tool', fc.array(plainResult, { minLength: 1, maxLength: 2 })),
    fc.constantFrom('user' as const, 'assistant' as const),
    fc.array(plainText, { minLength: 1, maxLength: 2 }),
  )
  .map(([question, calls, results, role, parts]) => [
    question,
    calls,
    results,
    ...(role === 'user' ? [] : [{ role, parts }]),
  ]);

const turns: fc.Arbitrary<readonly Turn[]> = fc.oneof(
  fc.array(anyTurn, { maxLength: 4 }),
  // After results without a word of the model, the next question is a turn of the same side.
  fc.array(plainRound, { maxLength: 2 }).map((rounds) => rounds.flat()),
);

const tool: fc.Arbitrary<Tool> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        id,
        sometimes({
          description: said,
          parameters: fc.constantFrom<JsonObject>({ type: 'object' }, { type: 'object', properties: { a: { type: 'string' } } }),
          strict: fc.boolean(),
          cache,
        }),
      )
      .map(([name, more]): Tool => ({ kind: 'function', name, ...more })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Tool>(
      { kind: 'other', dialect: 'chat', value: { type: 'custom', custom: { name: 'sql' } } },
      { kind: 'other', dialect: 'messages', value: { type: 'web_search_20250305', name: 'web_search' } },
      { kind: 'other', dialect: 'gemini', value: { googleSearch: {} } },
    ),
  },
);

const toolChoice: fc.Arbitrary<ToolChoice> = fc
  .tuple(
    fc.oneof(
      fc.record({ mode: fc.constantFrom('auto' as const, 'none' as const, 'required' as const) }),
      fc.record({ mode: fc.constant('tool' as const), name: id }),
    ),
    sometimes({ parallel: fc.boolean() }),
  )
  .map(([mode, more]) => ({ ...mode, ...more }));

const sampling: fc.Arbitrary<Sampling> = sometimes<Required<Sampling>>({
  maxTokens: fc.integer({ min: 1, max: 9000 }),
  temperature: fc.constantFrom(0, 0.5, 1, 1.5),
  topP: fc.constantFrom(0.1, 1),
  topK: fc.constantFrom(1, 40),
  stop: fc.array(said, { minLength: 1, maxLength: 2 }),
  seed: tokens,
  presencePenalty: fc.constantFrom(-1, 0.5),
  frequencyPenalty: fc.constantFrom(-1, 0.5),
  count: fc.constantFrom(1, 2),
});

const answerFormat: fc.Arbitrary<AnswerFormat> = fc.oneof(
  fc.constantFrom<AnswerFormat>({ kind: 'text' }, { kind: 'json' }),
  fc
    .tuple(jsonObject, sometimes({ name: id, strict: fc.boolean(), description: said }))
    .map(([schema, more]): AnswerFormat => ({ kind: 'schema', schema, ...more })),
);

const reasoning: fc.Arbitrary<ReasoningRequest> = fc.oneof(
  fc
    .constantFrom('none', 'minimal', 'low', 'high', 'max')
    .map((effort): ReasoningRequest => ({ kind: 'effort', effort })),
  fc.integer({ min: 1024, max: 9000 }).map((budget): ReasoningRequest => ({ kind: 'budget', tokens: budget })),
  fc.constantFrom<ReasoningRequest>({ kind: 'adaptive' }, { kind: 'off' }),
);

const extensions: fc.Arbitrary<Conversation['extensions']> = sometimes({
  chat: fc.record({ logit_bias: jsonObject, verbosity: fc.constant('low') }),
  messages: fc.record({ service_tier: fc.constant('auto'), container: id }),
  gemini: fc.record({ cachedContent: id, generationConfig: fc.constant({ speechConfig: { languageCode: 'fr' } }) }),
}) as fc.Arbitrary<Conversation['extensions']>;

/** Any conversation at all, with what one dialect or another cannot say. */
export const conversations: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.record({
      system: fc.array(textPart, { maxLength: 2 }),
      turns,
      tools: fc.array(tool, { maxLength: 2 }),
      sampling,
      stream: fc.boolean(),
      extensions,
    }),
    sometimes({
      model: fc.constantFrom(
        'gpt-4o',
        'claude-opus-5',
        'claude-sonnet-4-5-20250929',
        'gemini-2.5-flash',
        'gemini-2.5-pro',
        'gemini-3-pro-preview',
      ),
      toolChoice,
      streamUsage: fc.boolean(),
      answerFormat,
      reasoning,
      user: said,
    }),
  )
  .map(([conversation, more]) => ({ ...conversation, ...more }));

const finish: fc.Arbitrary<Finish> = fc.oneof(
  fc.constantFrom<Finish>(
    { reason: 'stop', raw: 'end_turn' },
    { reason: 'stop', raw: 'stop' },
    { reason: 'length', raw: 'max_tokens' },
    { reason: 'tool-calls', raw: 'tool_calls' },
    { reason: 'content-filter', raw: 'content_filter' },
    { reason: 'refusal', raw: 'refusal' },
    { reason: 'pause', raw: 'pause_turn' },
    { reason: 'other', raw: 'gave_up' },
    { reason: 'stop' },
  ),
  said.map((stopSequence): Finish => ({ reason: 'stop', raw: 'stop_sequence', stopSequence })),
);

const usage: fc.Arbitrary<Usage> = fc
  .tuple(
    fc.record({ fresh: tokens, output: tokens }),
    sometimes({ cacheRead: tokens, cacheWrite: tokens, reasoning: tokens }),
  )
  .map(([{ fresh, output }, more]) => ({
    input: fresh + (more.cacheRead ?? 0) + (more.cacheWrite ?? 0),
    output: output + (more.reasoning ?? 0),
    ...more,
  }));

const answerParts: fc.Arbitrary<readonly Part[]> = fc
  .tuple(
    fc.array(reasoningPart, { maxLength: 2 }),
    fc.array(
      said.map((value): Part => ({ kind: 'text', text: value })),
      { maxLength: 2 },
    ),
    fc.array(refusalPart, { maxLength: 1 }),
    fc.array(fc.record({ kind: fc.constant('tool-call' as const), id, name: id, arguments: argumentsText }), {
      maxLength: 3,
    }),
  )
  .map((lists) => lists.flat());

const choice = (index: number): fc.Arbitrary<AnswerChoice> =>
  fc.record({ index: fc.constant(index), parts: answerParts, finish });

/** Any answer, of one choice or two. */
export const answers: fc.Arbitrary<Answer> = fc
  .tuple(
    fc.record({
      id,
      model: id,
      choices: fc.oneof({ weight: 3, arbitrary: fc.tuple(choice(0)) }, fc.tuple(choice(0), choice(1))),
      extensions: fc.constant({}),
    }),
    sometimes({ usage, created: fc.integer({ min: 1, max: 2_000_000_000 }) }),
  )
  .map(([answer, more]) => ({ ...answer, ...more }));
