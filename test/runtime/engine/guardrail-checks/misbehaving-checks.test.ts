import { describe, expect, it } from 'vitest';
import type { Check, Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { asking, checkedConfig, readHook } from '../../../support/plans/checked-config.ts';

const beside = { before_request_hooks: [readHook('guardrail', ['odd', 'fine'])] };

const throwing = (): never => {
  throw new Error('A getter threw.');
};

/** Behaviour that is possible in a plugin that was not type-checked. */
const oddities: readonly (readonly [string, () => unknown])[] = [
  [
    'throws something that cannot be read',
    () => Promise.reject(new Proxy({}, { get: throwing, getPrototypeOf: throwing })),
  ],
  [
    'throws an error whose name cannot be read',
    () => {
      throw Object.defineProperty(new Error('x'), 'name', { get: throwing });
    },
  ],
  ['returns nothing', () => undefined],
  ['returns a text', () => 'pass'],
  ['returns a verdict whose "pass" is a text', () => ({ pass: 'yes' })],
  [
    'returns a verdict whose getter throws',
    () => ({
      get pass() {
        return throwing();
      },
    }),
  ],
  [
    'returns data whose getter throws',
    () => ({
      pass: true,
      get data() {
        return throwing();
      },
    }),
  ],
  [
    'returns replacements whose getter throws',
    () => ({
      pass: true,
      get replace() {
        return throwing();
      },
    }),
  ],
  ['returns a thenable that throws', () => ({ then: throwing })],
  ['returns a proxy that throws', () => new Proxy({}, { get: throwing, has: throwing })],
  ['replaces a part of a missing text', () => ({ pass: true, replace: [{ span: 7, from: 0, to: 1, with: '' }] })],
  ['replaces more than there is', () => ({ pass: true, replace: [{ span: 0, from: 0, to: 1e9, with: '' }] })],
  [
    'replaces from an index that is not a number',
    () => ({ pass: true, replace: [{ span: 0, from: Number.NaN, to: 1, with: '' }] }),
  ],
  [
    'replaces the same place twice',
    () => {
      const one = { span: 0, from: 0, to: 2, with: '' };
      return { pass: true, replace: [one, one] };
    },
  ],
  ['replaces with a number', () => ({ pass: true, replace: [{ span: 0, from: 0, to: 1, with: 7 }] })],
  ['returns a replacement that is null', () => ({ pass: true, replace: [null] })],
  ['returns an object in place of replacements', () => ({ pass: true, replace: {} })],
  [
    'adds a text that is too long',
    () => ({ pass: true, replace: [{ span: 0, from: 0, to: 1, with: 'x'.repeat(9_000_000) }] }),
  ],
  ['returns a body that is a list', () => ({ pass: true, body: [] })],
  ['returns a body of another dialect', () => ({ pass: true, body: { contents: [] } })],
  [
    'returns a body that contains itself',
    () => {
      const body: { [member: string]: unknown } = {};
      body.self = body;
      return { pass: true, body };
    },
  ],
  ...[null, '[A]', [['x', 'a question']], new Map([['x', 'a question']])].map(
    (restore): readonly [string, () => unknown] => [
      `restores ${restore instanceof Map ? 'a map' : JSON.stringify(restore)}`,
      () => ({ pass: true, replace: [{ span: 0, from: 0, to: 1, with: 'x' }], restore }),
    ],
  ),
  ['restores a number', () => ({ pass: true, replace: [{ span: 0, from: 0, to: 1, with: 'x' }], restore: { x: 7 } })],
];

describe('a check that', () => {
  it.each(oddities)('%s has an error in its own result and changes nothing', async (_what, odd) => {
    const config = checkedConfig(beside, { odd: odd as Check, fine: () => ({ pass: true, data: 1 }) });
    const { response, json } = await config.ask(asking('a question'));
    expect(response.status).toBe(200);
    expect(config.sent()).toEqual([asking('a question')]);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [
          {
            verdict: true,
            transformed: false,
            checks: [
              {
                id: 'test.odd',
                verdict: true,
                transformed: false,
                error: { name: expect.any(String), message: expect.any(String) },
              },
              { id: 'test.fine', verdict: true, data: 1 },
            ],
          },
        ],
      },
    });
  });

  it('fails and requests an impossible replacement still fails', async () => {
    const config = checkedConfig(beside, {
      odd: () => ({ pass: false, data: {}, replace: [{ span: 9, from: 0, to: 0, with: '' }] }),
      fine: () => ({ pass: true, data: {} }),
    });
    expect((await config.ask(asking('a'))).response.status).toBe(246);
  });

  it('returns data that is too large or not JSON keeps its verdict', async () => {
    for (const data of [10n, () => 1, 'x'.repeat(100_000)]) {
      const config = checkedConfig(beside, {
        odd: () => ({ pass: true, data, log: data }) as unknown as Verdict,
        fine: () => ({ pass: true, data: {}, log: { sent: 1 } }),
      });
      expect((await config.ask(asking('a'))).json).toMatchObject({
        hook_results: {
          before_request_hooks: [{ checks: [{ verdict: true, data: null, log: null }, { log: { sent: 1 } }] }],
        },
      });
    }
  });

  it('throws an error with a very long message has it truncated', async () => {
    const config = checkedConfig(beside, {
      odd: () => {
        throw new Error('x'.repeat(100_000));
      },
      fine: () => ({ pass: true, data: {} }),
    });
    expect(JSON.stringify((await config.ask(asking('a'))).json).length).toBeLessThan(3000);
  });
});

describe('the cancellation of a check', () => {
  const waiting = () => {
    const seen: Cancellation[] = [];
    const check: Check = ({ cancellation }) => {
      seen.push(cancellation);
      return new Promise(() => {});
    };
    return { seen, check };
  };

  it('happens at its time-out', async () => {
    const { seen, check } = waiting();
    const config = checkedConfig({ before_request_hooks: [readHook('guardrail', ['slow'])] }, { slow: check });
    const { json } = await config.ask(asking('a'));
    expect(config.clock.monotonic()).toBe(5000);
    expect(seen.map(({ cancelled }) => cancelled)).toEqual([true]);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [
          { checks: [{ error: { name: 'TimeoutError', message: 'The check did not answer within 5000 ms.' } }] },
        ],
      },
    });
  });

  it('happens when the client disconnects, but not at once in the background', async () => {
    const { cancellation, cancel } = createCancellation();
    const front = waiting();
    const back = waiting();
    const config = checkedConfig(
      { input_guardrails: [{ 'test.front': {} }, { 'test.back': {}, async: true }] },
      { front: front.check, back: back.check },
    );
    const answer = config.gateway.handle(sampleExchange(asking('a'), { cancellation }), config.linked);
    cancel();
    expect([...front.seen, ...back.seen].map(({ cancelled }) => cancelled)).toEqual([true, false]);
    expect((await config.clock.settle(answer)).status).toBe(499);
    expect(back.seen.map(({ cancelled }) => cancelled)).toEqual([true]);
  });
});
