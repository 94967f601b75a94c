import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { defineGuardrail, fail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { CancellationSource } from '../../../../runtime/async/cancellation-source.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { ContinuedBench, type ContinuedOutcome } from '../../../support/continued/continued-bench.ts';
import { plainFrames } from '../../../support/continued/plain-frames.ts';

const two = [chat, chat] as const;
const three = [chat, messages, chat] as const;
const bench = (more: Partial<ConstructorParameters<typeof ContinuedBench>[0]> = {}): ContinuedBench =>
  new ContinuedBench({ client: chat, upstreams: two, ...more });

/** The beginning of a stream with its first two pieces, followed by a cut. */
const cut = (frames: readonly Frame[]) => ({ frames: frames.slice(0, 3), end: 'cut' }) as const;
const whole = (frames: readonly Frame[]) => ({ frames, end: 'complete' }) as const;
const began = cut(plainFrames(chat, 'Once upon a time in the West'));
const rest = whole(plainFrames(chat, ' and so on.'));
const beginning = 'Once upon a time i';

const story = ({ trail }: ContinuedOutcome): readonly string[] =>
  trail.flatMap((event) => {
    if (event.kind === 'continued') return [`${event.path} ${event.from} → ${event.to} ${event.cause}`];
    return event.kind === 'notContinued' ? [`${event.path} ${event.branch}: ${event.reason}`] : [];
  });

const finish = ({ events }: ContinuedOutcome): string | undefined =>
  events.find((event) => event.kind === 'finish')?.finish.reason;

const errors = ({ events }: ContinuedOutcome): readonly string[] =>
  events.flatMap((event) => (event.kind === 'error' ? [event.error.message] : []));

const sentTo = ({ sent }: ContinuedOutcome): readonly string[] => sent.map(([name]) => name);
const bodyOf = ({ sent }: ContinuedOutcome, at: number): JsonObject => JSON.parse(sent[at]?.[1] ?? '{}') as JsonObject;

const cutError = expect.stringContaining('The provider ended its stream before the answer was complete.');

describe('a stream that is cut', () => {
  it('continues at the next target, which receives the text so far', async () => {
    const outcome = await bench().run([began, rest]);
    expect([outcome.text, outcome.end, finish(outcome)]).toEqual([`${beginning} and so on.`, 'complete', 'stop']);
    expect(story(outcome)).toEqual([' 0 → 1 stream-cut']);
    expect(bodyOf(outcome, 1).messages).toEqual([
      { role: 'user', content: 'Say something.' },
      { role: 'assistant', content: beginning },
      { role: 'user', content: expect.stringContaining('Continue exactly where it ends') },
    ]);
  });

  it('is one answer to its client, with one id, one model and one role', async () => {
    const first = cut(plainFrames(chat, 'Once upon a time in the West', { id: 'first' }));
    const second = whole(plainFrames(chat, ' and so on.', { id: 'second' }));
    const { bytes } = await bench().run([first, second]);
    const chunks = [...bytes.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as JsonObject);
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['first']));
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(['model-of-first']));
    expect(bytes.match(/"role"/g)).toHaveLength(1);
  });

  it('remains one list for a client that receives a list', async () => {
    const listed = new ContinuedBench({ client: gemini, upstreams: two, framing: framings['json-array'] });
    const { bytes, text } = await listed.run([began, rest]);
    expect(text).toBe(`${beginning} and so on.`);
    expect(JSON.parse(bytes)).toBeInstanceOf(Array);
  });

  it('continues again if that one is cut too, at each target at most once', async () => {
    const third = bench({ upstreams: three });
    const second = cut(plainFrames(messages, ' there was a dog'));
    const outcome = await third.run([began, second, rest]);
    expect(outcome.text).toMatch(/^Once upon a time i there .*and so on\.$/);
    expect(story(outcome)).toEqual([' 0 → 1 stream-cut', ' 1 → 2 stream-cut']);
    expect(JSON.stringify(bodyOf(outcome, 2).messages)).toContain(outcome.text.replace(' and so on.', ''));
    expect(outcome.trailers).toEqual([['x-gw-continued', 'config.targets[1], config.targets[2]']]);
    const broken = await third.run([began, second, cut(plainFrames(chat, ' and that was it'))]);
    expect([broken.end, sentTo(broken)]).toEqual(['failed', ['first', 'second', 'third']]);
    expect(errors(broken)).toEqual([cutError]);
    expect(story(broken)).toEqual([' 0 → 1 stream-cut', ' 1 → 2 stream-cut', ' 2: no-branch']);
  });

  it('ends with its own error if the next target refuses, and no other target is called', async () => {
    const outcome = await bench({ upstreams: three }).run([began, { status: 503 }, rest]);
    expect([outcome.text, outcome.end, sentTo(outcome)]).toEqual([beginning, 'failed', ['first', 'second']]);
    expect(errors(outcome)).toEqual([cutError]);
    expect(story(outcome)).toEqual([' 0: refused']);
  });

  it('lets the next target retry before its content begins', async () => {
    const retried = bench({ targets: [{}, { retry: { attempts: 1 } }] });
    const outcome = await retried.run([began, cut([])]);
    expect([sentTo(outcome), story(outcome)]).toEqual([['first', 'second', 'second'], [' 0: refused']]);
  });

  it('continues at an outer fallback if the inner one cannot', async () => {
    const inner = {
      strategy: { mode: 'fallback', continue: true },
      targets: [{ provider: 'first' }, { provider: 'second' }],
    };
    const nested = bench({ upstreams: [chat, chat, chat], config: { targets: [inner, { provider: 'third' }] } });
    const outcome = await nested.run([began, cut(plainFrames(chat, ' there was a dog')), rest]);
    expect(outcome.text).toBe(`${beginning} there was a dog and so on.`);
    expect(story(outcome)).toEqual(['/targets/0 0 → 1 stream-cut', '/targets/0 1: no-branch', ' 0 → 1 stream-cut']);
    expect(JSON.stringify(bodyOf(outcome, 2).messages)).toContain(`${beginning} there was a`);
  });

  it('continues after silence if the triggers include 408', async () => {
    const silent = { frames: began.frames, end: 'silence' } as const;
    const on = (codes: readonly number[]): ContinuedBench =>
      bench({ config: { strategy: { mode: 'fallback', continue: true, on_status_codes: codes } } });
    expect(story(await on([408]).run([silent, rest]))).toEqual([' 0 → 1 stream-idle']);
    expect(story(await on([502]).run([silent, rest]))).toEqual([' 0: not-listed']);
    expect(story(await on([408]).run([began, rest]))).toEqual([' 0: not-listed']);
  });

  it('continues after an error of the provider, but not after one caused by the request', async () => {
    const failing = (type: string) =>
      whole([
        ...plainFrames(messages, 'Once upon a time').slice(0, 4),
        { event: 'error', data: JSON.stringify({ type: 'error', error: { type, message: 'So it is.' } }) },
      ]);
    const onMessages = bench({ upstreams: [messages, chat] });
    expect(story(await onMessages.run([failing('overloaded_error'), rest]))).toEqual([' 0 → 1 stream-error']);
    const refused = await onMessages.run([failing('invalid_request_error'), rest]);
    expect([story(refused), errors(refused)]).toEqual([[], ['So it is.']]);
  });

  it('is not continued when its deadline passes', async () => {
    const silent = { frames: began.frames, end: 'silence' } as const;
    const hurried = await bench({ config: { deadline_ms: 5000 } }).run([silent, rest]);
    expect([sentTo(hurried), story(hurried)]).toEqual([['first'], []]);
    expect(errors(hurried)).toEqual([expect.stringContaining('5000 ms')]);
  });

  it('is not continued once its client has disconnected', async () => {
    const cancellation = new CancellationSource();
    const leaving = bench({
      upstreams: three,
      targets: [{}, {}, {}],
    }).run([began, rest, rest], {}, { cancellation });
    cancellation.cancel();
    expect(story(await leaving)).toEqual([]);
  });

  it('is joined without the duplicate white space between both parts', async () => {
    const outcome = await bench().run([
      cut(plainFrames(chat, 'Once and for all.')),
      whole(plainFrames(chat, '  the rest')),
    ]);
    expect(outcome.text).toBe('Once and for all.  the rest');
    const spaced = await bench().run([
      { frames: plainFrames(chat, 'Once and then ').slice(0, 3), end: 'cut' },
      whole(plainFrames(chat, ' the rest')),
    ]);
    expect(spaced.text).toBe('Once and then the rest');
    expect(JSON.stringify(bodyOf(spaced, 1).messages)).toContain('"Once and then"');
  });
});

describe('the output limit of a request', () => {
  it('is reduced by the text so far', async () => {
    const outcome = await bench().run([began, rest], { max_completion_tokens: 100 });
    expect(bodyOf(outcome, 1)).toMatchObject({ max_completion_tokens: 100 - Math.ceil(beginning.length / 4) });
  });

  it('ends the stream normally if nothing is left of it', async () => {
    const outcome = await bench().run([began, rest], { max_completion_tokens: 4 });
    expect([outcome.text, outcome.end, finish(outcome)]).toEqual([beginning, 'complete', 'length']);
    expect([sentTo(outcome), story(outcome)]).toEqual([['first'], [' 0: length']]);
  });
});

const toolCall: readonly AnswerEvent[] = [
  { kind: 'tool-call', choice: 0, block: 1, id: 'call_1', name: 'look' },
  { kind: 'tool-arguments', choice: 0, block: 1, text: '{}' },
];
const thought: readonly AnswerEvent[] = [{ kind: 'reasoning', choice: 0, block: 0, text: 'Let me think.' }];

describe('a stream ends with its error instead of being continued', () => {
  const refuses = async (
    reason: string,
    frames: readonly Frame[],
    { more = {}, ...road }: Partial<ConstructorParameters<typeof ContinuedBench>[0]> & { more?: JsonObject } = {},
  ): Promise<void> => {
    const outcome = await bench(road).run([{ frames, end: 'cut' }, rest], more);
    expect([story(outcome), sentTo(outcome)]).toEqual([[` 0: ${reason}`], ['first']]);
    expect(errors(outcome)).toEqual([cutError]);
  };

  it.each([
    ['several-answers', { n: 2 }],
    ['schema', { response_format: { type: 'json_object' } }],
    ['schema', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } }],
  ])('for %s', (reason, more) => refuses(reason, began.frames, { more }));

  it('because of a setting of the next target', async () => {
    const settings = { override_params: { response_format: { type: 'json_object' } } };
    const outcome = await bench({ targets: [{}, settings] }).run([began, rest]);
    expect([sentTo(outcome), story(outcome)]).toEqual([['first'], [' 0: no-branch']]);
  });

  it('because of a setting of its target', () =>
    refuses('schema', began.frames, { targets: [{ override_params: { response_format: { type: 'json_object' } } }] }));

  it('within a tool call', () => {
    const frames = plainFrames(chat, 'Let me see', { after: toolCall });
    return refuses('tool-call', frames.slice(0, -3));
  });

  it('within reasoning', () => {
    const frames = plainFrames(chat, 'So it is.', { before: thought });
    return refuses('reasoning', frames.slice(0, 2));
  });

  it('after its finish', () => refuses('finished', plainFrames(chat, 'All of it').slice(0, 4)));

  it('if it is longer than what is kept', () => {
    const long = plainFrames(chat, 'x'.repeat(9)).slice(0, 2);
    const [start, piece] = long;
    if (start === undefined || piece === undefined) return expect.unreachable();
    const longer = { data: piece.data.replace('x'.repeat(9), 'x'.repeat(1_000_000)) };
    return refuses('too-long', [start, longer, longer, longer, longer, longer]);
  });
});

describe('reasoning', () => {
  it('shown before the text is not sent to the next target, whose own reasoning is not shown', async () => {
    const first = plainFrames(chat, 'So it is.', { before: thought });
    const second = plainFrames(chat, ' Or not.', { before: [{ kind: 'reasoning', choice: 0, block: 0, text: 'Hm?' }] });
    const outcome = await bench().run([{ frames: first.slice(0, 3), end: 'cut' }, whole(second)]);
    expect(outcome.text).toBe('So it is. Or not.');
    expect(outcome.bytes).toContain('Let me think.');
    expect(outcome.bytes).not.toContain('Hm?');
    expect(JSON.stringify(bodyOf(outcome, 1))).not.toContain('Let me think.');
  });
});

describe('checks', () => {
  const words = defineGuardrail({
    id: 'test.words',
    parameters: { type: 'object', properties: {} },
    parts: () => ({ overlap: 8 }),
    create: () => (input) => (input.text.includes('forbidden') ? fail('It is.') : pass()),
  });
  const denying = { output_guardrails: [{ 'test.words': {}, deny: true }] };
  const reporting = { output_guardrails: [{ 'test.words': {} }] };
  const codes = defineGuardrail({
    id: 'test.codes',
    parameters: { type: 'object', properties: {} },
    rewrites: () => true,
    parts: () => ({ overlap: 'code: 1234'.length }),
    create:
      () =>
      ({ spans }) => ({
        ...pass(),
        replace: spans.flatMap(({ text }, span) =>
          [...text.matchAll(/(?<=code: )\d{4}/g)].map(({ index }) => ({
            span,
            from: index,
            to: index + 4,
            with: '[X]',
          })),
        ),
      }),
  });
  const changing = { output_guardrails: [{ 'test.codes': {} }] };

  it('that may deny the rest let another target continue', async () => {
    const checked = bench({ guardrails: [words], upstreams: [chat, chat, chat], targets: [{}, denying, {}] });
    const outcome = await checked.run([began, rest, rest]);
    expect([sentTo(outcome), story(outcome)]).toEqual([['first', 'third'], [' 0 → 2 stream-cut']]);
  });

  it('that may deny the beginning prevent a continuation', async () => {
    const checked = bench({ guardrails: [words], targets: [denying] });
    const long = {
      frames: plainFrames(chat, 'All of this may be said to everybody, and more').slice(0, 6),
      end: 'cut',
    } as const;
    const outcome = await checked.run([long, rest]);
    expect([outcome.end, sentTo(outcome), story(outcome)]).toEqual(['failed', ['first'], [' 0: checks']]);
  });

  it('that only report see the rest', async () => {
    const checked = bench({ guardrails: [words], targets: [reporting, reporting] });
    const outcome = await checked.run([began, whole(plainFrames(chat, ' a forbidden word'))]);
    expect(outcome.text).toBe(`${beginning} a forbidden word`);
    expect(outcome.trail).toContainEqual({ kind: 'checked', path: '/targets/1', phase: 'output', result: 'failed' });
  });

  it('that only change answers see the end of the beginning together with the rest', async () => {
    const changed = bench({ guardrails: [codes], targets: [changing, changing] });
    // The piece with the code is being held when the stream breaks.
    const frames = plainFrames(chat, 'This is the code: 1234, as we know, and so on.').slice(0, 5);
    const outcome = await changed.run([{ frames, end: 'cut' }, whole(plainFrames(chat, '1234, as we know.'))]);
    expect(bodyOf(outcome, 1).messages).toContainEqual({ role: 'assistant', content: 'This is the code:' });
    expect(outcome.text).toBe('This is the code: [X], as we know.');
  });

  it('that change answers and need the whole text let another target continue', async () => {
    const { parts: _, ...needsWhole } = codes;
    const targets = [{}, changing, {}];
    const changed = bench({ guardrails: [needsWhole], upstreams: [chat, chat, chat], targets });
    const outcome = await changed.run([began, rest, rest]);
    expect([sentTo(outcome), story(outcome)]).toEqual([['first', 'third'], [' 0 → 2 stream-cut']]);
  });

  it('that change answers and need the whole text let a broken stream fall back', async () => {
    const { parts: _, ...needsWhole } = codes;
    const changed = bench({ guardrails: [needsWhole], targets: [changing, {}] });
    const outcome = await changed.run([began, rest]);
    expect([outcome.text, sentTo(outcome), story(outcome)]).toEqual([' and so on.', ['first', 'second'], []]);
  });

  it('of requests see what the client sent', async () => {
    const seen: string[] = [];
    const spy = defineGuardrail({
      id: 'test.spy',
      parameters: { type: 'object', properties: {} },
      create: () => (input) => {
        seen.push(input.text);
        void input.target;
        return pass();
      },
    });
    const spied = { input_guardrails: [{ 'test.spy': {}, deny: true }] };
    const outcome = await bench({ guardrails: [spy], targets: [spied, spied] }).run([began, rest]);
    expect(story(outcome)).toEqual([' 0 → 1 stream-cut']);
    expect(new Set(seen)).toEqual(new Set(['Say something.']));
  });

  it('that take values out of requests prevent a continuation, which would receive the values', async () => {
    const redacting = { input_guardrails: [{ 'test.redact': {} }] };
    const redact = defineGuardrail({
      id: 'test.redact',
      parameters: { type: 'object', properties: {} },
      create: () => () => ({
        ...pass(),
        replace: [{ span: 0, from: 4, to: 13, with: '<x>' }],
        restore: { '<x>': 'something' },
      }),
    });
    const first = await bench({ guardrails: [redact], targets: [redacting] }).run([began, rest]);
    expect([first.end, sentTo(first), story(first)]).toEqual(['failed', ['first'], [' 0: checks']]);
    const second = await bench({ guardrails: [redact], targets: [{}, redacting] }).run([began, rest]);
    expect([second.end, sentTo(second), story(second)]).toEqual(['failed', ['first'], [' 0: no-branch']]);
  });
});

describe('the trailer', () => {
  const continues = { mode: 'fallback', continue: true };

  it('reaches the client if the stream is recorded', async () => {
    const compare = defineGuardrail({
      id: 'test.compare',
      parameters: { type: 'object', properties: {} },
      comparesAnswers: true,
      create: () => () => pass(),
    });
    const mirror = { percent: 100, target: { provider: 'third' }, checks: [{ 'test.compare': {} }] };
    const config = { strategy: continues, targets: [{ provider: 'first' }, { provider: 'second' }], mirror };
    const mirrored = bench({ guardrails: [compare], upstreams: [chat, chat, chat], config });
    const { trailers } = await mirrored.run([began, rest, rest]);
    expect(trailers).toEqual([['x-gw-continued', 'config.targets[1]']]);
  });

  it('reaches the client from a fallback within a fallback', async () => {
    const inner = { strategy: continues, targets: [{ provider: 'first' }, { provider: 'second' }] };
    const config = { strategy: { ...continues, on_status_codes: [502] }, targets: [inner, { provider: 'third' }] };
    const { trailers } = await bench({ upstreams: [chat, chat, chat], config }).run([began, rest, rest]);
    expect(trailers).toEqual([['x-gw-continued', 'config.targets[0].targets[1]']]);
  });
});

describe('a cache', () => {
  it('neither stores a continued stream nor answers with it', async () => {
    const cached = bench({ targets: [{ cache: { mode: 'simple' } }, { cache: { mode: 'simple' } }] });
    const outcome = await cached.run([began, rest]);
    expect(outcome.text).toBe(`${beginning} and so on.`);
    const again = await cached.run([began, whole(plainFrames(chat, ' as before.'))]);
    expect([again.text, sentTo(again)]).toEqual([`${beginning} as before.`, ['first', 'second']]);
  });
});

describe('usage', () => {
  it('is the sum for both targets if the caller requests it', async () => {
    const outcome = await bench().run([began, rest], {}, { overrides: { usage: true } });
    const used = outcome.trail.flatMap((event) => (event.kind === 'settled' ? [event.usage] : []));
    const [line] = /^: x-gw-usage (.*)$/m.exec(outcome.bytes)?.slice(1) ?? [];
    const named = JSON.parse(line ?? '{}') as (typeof used)[0];
    expect(used).toHaveLength(2);
    expect(named).toMatchObject({
      kind: 'partial',
      input: { total: used.reduce((sum, { input }) => sum + input.total, 0) },
      output: { total: used.reduce((sum, { output }) => sum + output.total, 0) },
    });
    expect(outcome.bytes.match(/x-gw-usage/g)).toHaveLength(1);
  });

  it('is the sum for both targets even if only the client consumes it', async () => {
    const asked = { stream_options: { include_usage: true } };
    const totals = async (usage: boolean) => {
      const { events } = await bench({ usage }).run([began, rest], asked);
      return events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []));
    };
    const [total, ...others] = await totals(false);
    expect([[total], others]).toEqual([await totals(true), []]);
    // The second target reports 21 and 8.
    expect([(total?.input ?? 0) > 21, (total?.output ?? 0) > 8]).toEqual([true, true]);
  });

  it('counts the text so far as input of the target that read it and reports nothing', async () => {
    const { trail } = await bench().run([began, cut(rest.frames)], {}, { overrides: { usage: true } });
    const [first = 0, second = 0] = trail.flatMap((event) => (event.kind === 'settled' ? event.usage.input.total : []));
    const said = Buffer.byteLength(beginning);
    expect([Math.floor(said / 4), Math.ceil(said / 4)]).toContain(second - first);
  });
});
