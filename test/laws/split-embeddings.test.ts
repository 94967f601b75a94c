import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definePlugin } from '../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../plugins/sdk/provider/provider.ts';
import { errorReport } from '../../schema/errors/errors.ts';
import { findText, toTexts } from '../../schema/json/loose.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import { createCountingLimiter } from '../support/in-process/counting-limiter.ts';
import { runConfig } from '../support/in-process/run-config.ts';
import { sampleExchange } from '../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../support/in-process/stub-upstreams.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';
// Loads the module in advance, because virtual time does not wait for imports.
import '../../runtime/engine/attempt/split-requests/parts.ts';

/** What a provider does with one request. */
type Step = 'answer' | 'silent about tokens' | 'busy' | 'failing' | 'refused' | 'nonsense' | 'too few';

const steps: readonly Step[] = ['answer', 'silent about tokens', 'busy', 'failing', 'refused', 'nonsense', 'too few'];

const anyScript = fc.array(fc.constantFrom(...steps), { maxLength: 12 });

/** Each text has one character more than it has tokens. */
const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

const vectorOf = (text: string): readonly number[] => [text.length, text.codePointAt(0) ?? 0];

const toBody = (request: Parameters<StubHandler>[0]) =>
  request.body.kind === 'bytes' ? (parseObject(Buffer.from(request.body.bytes).toString()) ?? {}) : {};

const answerTo = (texts: readonly string[], tokens: number | undefined) =>
  stubAnswer({
    object: 'list',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
    model: 'm',
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  });

interface Served {
  readonly target: string;
  readonly texts: readonly string[];
}

const run = async (texts: readonly string[], size: number | undefined, script: readonly Step[]) => {
  const provider = defineProvider({
    id: 'small',
    documentation: 'https://small.example',
    baseUrl: 'https://small.example',
    credential: 'none',
    speaks: { embeddings: '/embeddings' },
    headers: () => [],
    ...(size === undefined ? {} : { maxTexts: size }),
  });
  const served: Served[] = [];
  const received: { target: string; texts: readonly string[] }[] = [];
  let at = 0;
  const upstream: StubHandler = async (request, scope) => {
    const body = toBody(request);
    const sent = toTexts(body.input);
    const target = findText(body.model) ?? '';
    received.push({ target, texts: sent });
    const step = script[at] ?? 'answer';
    at += 1;
    if (step === 'refused')
      return { kind: 'failure', error: errorReport('connection-failed', { host: 'x', reason: 'no.' }) };
    scope.written?.();
    await Promise.resolve();
    if (step === 'busy') return stubAnswer({ error: { message: 'busy' } }, { status: 429 });
    if (step === 'failing') return stubAnswer({ error: { message: 'no' } }, { status: 500 });
    if (step === 'nonsense') return stubAnswer('{"object":"list"}');
    if (step === 'too few') return answerTo(sent.slice(1), tokensOf(sent));
    served.push({ target, texts: sent });
    return answerTo(sent, step === 'answer' ? tokensOf(sent) : undefined);
  };
  const limiter = createCountingLimiter();
  const target = (model: string) => ({
    provider: 'small',
    override_params: { model },
    retry: { attempts: 2, on_status_codes: [429, 500, 502] },
  });
  const config = { strategy: { mode: 'fallback' }, targets: [target('first'), target('second')] };
  const plugins = [definePlugin({ name: 'small-plugin', providers: [provider] })];
  const world = runConfig(config, { upstream, limiter, plugins });
  const route = { operation: 'embed', dialect: 'embeddings' } as const;
  const exchange = sampleExchange({ model: 'm', input: [...texts] }, { route });
  const { status, body } = await world.handle(exchange);
  const [request] = limiter.requests;
  return {
    status,
    answer: body.kind === 'bytes' ? parseObject(Buffer.from(body.bytes).toString()) : undefined,
    served,
    received,
    ends: request?.attempts.map(({ ends }) => ends) ?? [],
    attempts: exchange.trail.filter(({ kind }) => kind === 'attempted'),
    wasRefused: script.slice(0, at).includes('refused'),
    isUsageComplete: script.slice(0, at).every((step) => step === 'answer' || step === 'busy' || step === 'failing'),
  };
};

const anyTexts = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 });

describe('a list of texts that is split', () => {
  it('gets the same answer as a whole list, embeds each text once, and reports the sum of the usage', {
    timeout: slowLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, fc.integer({ min: 1, max: 12 }), anyScript, async (texts, size, script) => {
        fc.pre(texts.length > size);
        const split = await run(texts, size, script);
        if (split.status === 200) {
          const whole = await run(texts, undefined, []);
          expect(split.answer?.data).toEqual(whole.answer?.data);
          if (split.isUsageComplete) expect(split.answer?.usage).toEqual(whole.answer?.usage);
        }
        // No text is sent to a target again after it has been answered.
        for (const target of ['first', 'second']) {
          const answered = split.served.filter((each) => each.target === target).flatMap((each) => each.texts);
          expect(answered.length).toBeLessThanOrEqual(texts.length);
        }
        const last = split.received.at(-1)?.target;
        const served = split.served.filter((each) => each.target === last).flatMap((each) => each.texts);
        if (split.status === 200) expect(served.toSorted()).toEqual(texts.toSorted());
        // Every reservation of an attempt ended exactly once, and all reported usage is settled.
        expect(split.ends.every((ends) => ends.length === 1)).toBe(true);
        if (split.isUsageComplete) {
          const settled = split.ends.flat().map((end) => (end.kind === 'settled' ? end.usage.input.total : 0));
          const used = split.served.reduce((sum, each) => sum + tokensOf(each.texts), 0);
          expect(settled.reduce((sum, count) => sum + count, 0)).toBe(used);
        }
        expect(split.attempts.length).toBe(split.ends.length);
      }),
      dearLawRuns,
    );
  });

  it('records in its trail how many requests each attempt sent', async () => {
    const texts = Array.from({ length: 10 }, (_, at) => 'x'.repeat(at + 1));
    const { attempts, ends, served } = await run(texts, 2, ['answer', 'answer', 'answer', 'busy']);
    expect(attempts.map((event) => ('requests' in event ? event.requests : undefined))).toEqual([5, 1]);
    expect(served.map((each) => each.texts)).toEqual([
      ...[texts.slice(0, 2), texts.slice(2, 4), texts.slice(4, 6), texts.slice(8, 10)],
      texts.slice(6, 8),
    ]);
    expect(ends.flat()).toMatchObject([
      { kind: 'settled', usage: { kind: 'reported', input: { total: 40 } } },
      { kind: 'settled', usage: { kind: 'reported', input: { total: 15 } } },
    ]);
  });

  it('has estimated usage if no part reports its usage, and partial usage if only some parts do', async () => {
    const texts = Array.from({ length: 8 }, (_, at) => 'x'.repeat(at + 1));
    const kindOf = async (script: readonly Step[]) =>
      (await run(texts, 2, script)).ends.flat().map((end) => (end.kind === 'settled' ? end.usage.kind : end.kind));
    const silent = 'silent about tokens';
    expect(await kindOf([silent, silent, silent, silent])).toEqual(['estimated']);
    expect(await kindOf(['answer', silent])).toEqual(['partial']);
    expect(await kindOf(['busy', 'busy', 'busy', 'busy'])).toEqual(['none', 'reported']);
    expect(await kindOf(['refused', 'refused', 'refused', 'refused'])).toEqual(['released', 'reported']);
    expect(await kindOf(['nonsense', 'answer', 'answer', 'answer'])).toEqual(['partial', 'reported']);
  });
});
