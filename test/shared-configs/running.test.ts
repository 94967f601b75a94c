import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deniedStatus } from '../../schema/http/status.ts';
import { patience } from '../support/run/patience.ts';
import { ask as askGateway, type HookResult, type ReceivedAnswer, type Request } from './running/ask.ts';
import type { AskedHook } from './running/asked.ts';
import { type Case, cases, notRunning, running, runningSaved } from './running/cases.ts';
import { type ExpectedAnswer, expectedAnswer, toWords } from './running/expected-answer.ts';
import { type RunningConfigs, startConfigs } from './running/start-configs.ts';
import { startVendors, type Vendors } from './running/vendors.ts';
import { sharedConfigsExist } from './shared-folder.ts';

let vendors: Vendors;
let gateway: RunningConfigs;
beforeAll(async () => {
  vendors = await startVendors();
  gateway = await startConfigs({ configs: running, saved: runningSaved, origin: vendors.origin });
});
afterAll(async () => {
  await gateway.close();
  await vendors.close();
});

const prompt = 'What is the capital of France?';
const answer = 'It is Paris.';

const ask = (way: Case, request: Request): Promise<ReceivedAnswer> => askGateway({ gateway, vendors }, way, request);

const firstStatus: { readonly [mode: string]: string } = { simple: 'MISS', semantic: 'SEMANTIC MISS' };

const toResults = (hooks: readonly AskedHook[], text: string): readonly HookResult[] =>
  hooks.map(({ checks, passes }) => ({ verdict: passes(text), checks }));

/** The expected first answer. A stream reports the results of hooks only if it is not strict. */
const first = (
  { status, calls, asked, before, after }: ExpectedAnswer,
  hasResults = true,
): Partial<ReceivedAnswer> => ({
  status,
  calls,
  cache: firstStatus[asked.cache ?? ''] ?? 'DISABLED',
  before: hasResults ? toResults(before, prompt) : [],
  after: hasResults ? toResults(after, answer) : [],
});

/** The expected second answer. Answers with status 200 are cached, and hooks run before that. */
const second = (expected: ExpectedAnswer, hasResults = true): Partial<ReceivedAnswer> =>
  expected.asked.cache === undefined || expected.status !== 200
    ? first(expected, hasResults)
    : { ...first(expected, hasResults), cache: 'HIT', calls: 0, after: [] };

describe.runIf(sharedConfigsExist)('real configs with caches and guardrails', () => {
  it('run, except one with checks that their service never had', () => {
    expect(notRunning).toEqual(['261-3-enterprise-guardrails']);
    expect(running.filter(({ isCorrected }) => !isCorrected).length).toBe(34);
    expect(running.length).toBe(46);
  });

  it.each(cases)('$label: answers, and answers again from the cache if it has one', async (way) => {
    vendors.say(answer);
    const expected = expectedAnswer(way, { prompt, answer });
    const request = { content: prompt, about: 'whole' };
    const [once, twice] = [await ask(way, request), await ask(way, request)];
    expect(once, once.text).toMatchObject(first(expected));
    expect(twice, twice.text).toMatchObject(second(expected));
    for (const { text } of [once, twice]) expect(JSON.parse(text).choices[0].message.content).toBe(answer);
  });

  it.each(cases)('$label: streams, and streams again from the cache if it has one', async (way) => {
    vendors.say(answer);
    const expected = expectedAnswer(way, { prompt, answer });
    const streamed = { content: prompt, about: 'streamed', stream: true };
    const [once, twice] = [await ask(way, streamed), await ask(way, streamed)];
    expect(once, once.text).toMatchObject(first(expected, false));
    expect(twice, twice.text).toMatchObject(second(expected, false));
    for (const { text } of [once, twice]) expect(text).toMatch(/^data: .*\n\ndata: \[DONE\]\n\n$/s);
  });

  const hooked = cases.filter((way) => {
    const { before, after } = expectedAnswer(way, { prompt, answer });
    return before.length + after.length > 0;
  });

  it.each(hooked)('$label: reports the results of its hooks in a stream that is not strict', async (way) => {
    vendors.say(answer);
    const { status, before, after } = first(expectedAnswer(way, { prompt, answer }));
    const response = await ask(way, { content: prompt, about: 'not strict', stream: true, strict: false });
    expect(response, response.text).toMatchObject({ status, before, after });
  });

  it.each(cases.filter((way) => toWords(way, 'input').length > 0))('$label: hooks judge prompts', async (way) => {
    vendors.say(answer);
    const content = `${prompt} ${toWords(way, 'input').join(' ')}`;
    const { status, calls } = expectedAnswer(way, { prompt: content, answer });
    for (const stream of [false, true]) {
      const response = await ask(way, { content, about: 'prompts', stream });
      expect(response, response.text).toMatchObject({ status, calls });
    }
  });

  it.each(cases.filter((way) => toWords(way, 'output').length > 0))('$label: hooks judge answers', async (way) => {
    const words = toWords(way, 'output').join(' ');
    // A stream is checked part by part, and its status is that of the first part.
    const content = `${words} ${answer}`;
    vendors.say(content);
    const { status, calls } = expectedAnswer(way, { prompt, answer: content });
    const whole = await ask(way, { content: prompt, about: 'answers' });
    expect(whole, whole.text).toMatchObject({ status, calls });
    const streamed = await ask(way, { content: prompt, about: 'answers', stream: true });
    const isDenied = status === deniedStatus;
    expect(streamed, streamed.text).toMatchObject({ status: isDenied ? status : 200, calls });
    for (const { text } of [whole, streamed]) expect(text.includes('"choices"')).toBe(!isDenied);
  });

  const semantic = cases.filter((way) => expectedAnswer(way, { prompt, answer }).asked.cache === 'semantic');

  it.each(semantic)('$label: answers the same question in other words from the cache', async (way) => {
    vendors.say(answer);
    const about = 'other words';
    await ask(way, { content: prompt, about });
    let spaces = 0;
    // No event signals that a vector has been stored. Each space changes the request, but not the question.
    await vi.waitFor(async () => {
      spaces += 1;
      const content = `Please tell me what the capital of France is.${' '.repeat(spaces)}`;
      const response = await ask(way, { content, about });
      expect(response).toMatchObject({ status: 200, cache: 'SEMANTIC HIT', calls: 0 });
      expect(response.text).toContain(answer);
    }, patience);
  });
});
