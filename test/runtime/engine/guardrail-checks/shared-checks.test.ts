import { describe, expect, it } from 'vitest';
import { type Check, fail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { findUnrecordedParts } from '../../../../plugins/sdk/guardrail/unrecorded-parts.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { asking, checkedConfig, swapping } from '../../../support/plans/checked-config.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}' };

/** A fallback over three targets that all fail, each with a guardrail of the same check. */
const askedBy = async (check: Check, targets: readonly JsonObject[] = [openai, openai, openai]) => {
  const guarded = targets.map((target, index) => ({
    ...target,
    input_guardrails: [{ id: `guard-${index}`, 'test.one': { id: `check-${index}` } }],
  }));
  const config = checkedConfig(
    { strategy: { mode: 'fallback' }, targets: guarded },
    { one: check },
    { upstream: () => stubAnswer({ error: {} }, { status: 500 }) },
  );
  const { json } = await config.ask(asking('a'));
  return { config, json, times: config.asked.length };
};

describe('a check that several targets share', () => {
  it('runs once for a text, and each target gets its own result', async () => {
    const { times, json } = await askedBy(({ text }) => (text === 'a' ? fail('no') : pass()));
    expect(times).toBe(1);
    expect(json).toMatchObject({
      hook_results: { before_request_hooks: [{ id: 'guard-2', verdict: false, checks: [{ id: 'check-2' }] }] },
    });
  });

  it('runs once even if it answers later', async () => {
    expect((await askedBy(async () => pass())).times).toBe(1);
  });

  it('runs again if it reads the request or the target, even later, or if it failed to judge', async () => {
    const looks: readonly Check[] = [
      ({ target }) => (target.model === 'm' ? pass() : fail('no')),
      ({ request }) => (request.dialect === 'chat' ? pass() : fail('no')),
      async (input) => {
        await Promise.resolve();
        return { ...pass(), data: input.target.provider };
      },
      (input) => ({ ...pass(), data: Object.keys({ ...input }).length }),
      () => Promise.reject(new Error('down')),
    ];
    for (const look of looks) expect((await askedBy(look)).times).toBe(3);
  });

  it('runs once if a wrapper reads its input unrecorded, and again if the wrapper records a read', async () => {
    const seen: unknown[] = [];
    const passedOn =
      (looks: boolean): Check =>
      (input) => {
        const found = findUnrecordedParts(input);
        seen.push([found?.request.dialect, found?.target]);
        if (looks) found?.readsTarget();
        return pass();
      };
    expect((await askedBy(passedOn(false))).times).toBe(1);
    expect(seen).toEqual([['chat', { provider: 'openai', model: 'm' }]]);
    expect((await askedBy(passedOn(true))).times).toBe(3);
  });

  it('runs again for another text', async () => {
    const other = { ...openai, override_params: { messages: [{ role: 'user', content: 'b' }] } };
    expect((await askedBy(() => pass(), [openai, other, openai])).times).toBe(2);
  });

  it('changes the request of each target', async () => {
    const { config, times } = await askedBy(swapping('a', 'b'));
    expect(times).toBe(1);
    expect(config.sent()).toEqual([asking('b'), asking('b'), asking('b')]);
  });

  it('runs again for another request', async () => {
    const config = checkedConfig({ input_guardrails: [{ 'test.one': {} }] }, { one: () => pass() });
    await config.ask(asking('a'));
    await config.ask(asking('a'));
    expect(config.asked).toHaveLength(2);
  });
});
