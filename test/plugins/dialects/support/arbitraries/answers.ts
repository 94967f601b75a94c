import fc from 'fast-check';
import type { Answer, AnswerChoice, Finish, FinishReason } from '../../../../../schema/conversation/answer.ts';
import type { Part, Usage } from '../../../../../schema/conversation/conversation.ts';
import { id, said, sometimes, tokens } from './basics.ts';
import { answerCallPart, serverParts } from './calls.ts';
import { madeMedia } from './media.ts';
import { reasoningPart } from './reasoning.ts';
import { citingText, plainText } from './texts.ts';
import { uniqueCalls } from './well-formed.ts';

const reasons: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: ['end_turn', 'stop'],
  length: ['max_tokens'],
  'tool-calls': ['tool_calls'],
  'content-filter': ['content_filter'],
  refusal: ['refusal'],
  pause: ['pause_turn'],
  'context-window': ['model_context_window_exceeded'],
  compaction: ['compaction'],
  'malformed-call': ['MALFORMED_FUNCTION_CALL'],
  'blocked-prompt': ['PROHIBITED_CONTENT'],
  other: ['gave_up'],
};

const eachReason: readonly Finish[] = Object.entries(reasons).flatMap(([reason, raws]) =>
  raws.map((raw): Finish => ({ reason: reason as FinishReason, raw })),
);

const finish: fc.Arbitrary<Finish> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Finish>(...eachReason, { reason: 'stop' }) },
  {
    weight: 1,
    arbitrary: said.map((stopSequence): Finish => ({ reason: 'stop', raw: 'stop_sequence', stopSequence })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom<FinishReason>('refusal', 'content-filter', 'blocked-prompt'), said)
      .map(([reason, details]): Finish => ({ reason, details })),
  },
);

/** Returns usage in which half of the tokens written to the cache are kept for an hour. */
const longKept = (cacheWrite = 0): Pick<Usage, 'cacheWriteByTtl'> =>
  cacheWrite === 0 ? {} : { cacheWriteByTtl: { '1h': Math.ceil(cacheWrite / 2) } };

const usage: fc.Arbitrary<Usage> = fc
  .tuple(
    fc.record({ fresh: tokens, text: tokens }),
    sometimes({
      cacheRead: tokens,
      cacheWrite: tokens,
      reasoning: tokens,
      inputAudio: tokens,
      inputImage: tokens,
      outputAudio: tokens,
      outputImage: tokens,
      calls: fc.constantFrom({ web_search: 2 }, { web_search: 1, web_fetch: 3 }),
      tier: fc.constantFrom('default', 'priority'),
    }),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([{ fresh, text }, more, long]) => ({
    input: fresh + (more.cacheRead ?? 0) + (more.cacheWrite ?? 0) + (more.inputAudio ?? 0) + (more.inputImage ?? 0),
    output: text + (more.reasoning ?? 0) + (more.outputAudio ?? 0) + (more.outputImage ?? 0),
    ...more,
    ...longKept(long === 0 ? more.cacheWrite : undefined),
  }));

const refusalPart: fc.Arbitrary<Part> = said.map((value) => ({ kind: 'refusal', text: value }));

const parts: fc.Arbitrary<readonly Part[]> = fc
  .tuple(
    fc.array(reasoningPart, { maxLength: 2 }),
    fc.array(serverParts, { maxLength: 1 }).map((lists) => lists.flat()),
    fc.array(fc.oneof(plainText, citingText), { maxLength: 2 }),
    fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(madeMedia, { maxLength: 2 })),
    fc.array(refusalPart, { maxLength: 1 }),
    fc.array(reasoningPart, { maxLength: 1 }),
    fc.array(answerCallPart, { maxLength: 3 }),
  )
  .map((lists: readonly (readonly Part[])[]) => uniqueCalls(lists.flat()));

const choice = (index: number): fc.Arbitrary<AnswerChoice> => fc.record({ index: fc.constant(index), parts, finish });

/** Any answer with one, two or three choices. */
export const answers: fc.Arbitrary<Answer> = fc
  .tuple(
    fc.record({
      id,
      model: id,
      choices: fc.oneof(
        { weight: 4, arbitrary: fc.tuple(choice(0)) },
        { weight: 1, arbitrary: fc.tuple(choice(0), choice(1)) },
        { weight: 1, arbitrary: fc.tuple(choice(0), choice(1), choice(2)) },
      ),
      extensions: fc.constant({}),
    }),
    sometimes({ usage, created: fc.integer({ min: 1, max: 2_000_000_000 }) }),
  )
  .map(([answer, more]) => ({ ...answer, ...more }));
