import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Check, defineGuardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { JudgedHook } from '../../../../plugins/sdk/hooks/hook-result.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { nothingSaved } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { asking, checkedConfig, occurrences } from '../../../support/plans/checked-config.ts';
import { lawRuns, slowLawMs } from '../../../support/run/law-runs.ts';

type Says = 'pass' | 'fail' | 'error';

interface ModelCheck {
  readonly says: Says;
  readonly failOnError: boolean;
  /** The letter that it appends, if any. */
  readonly appends: string | undefined;
}

interface ModelHook {
  readonly kind: 'guardrail' | 'mutator' | 'background' | 'sequential';
  readonly denyOnFail: boolean;
  readonly denyOnSuccess: boolean;
  readonly checks: readonly ModelCheck[];
}

const modelCheck: fc.Arbitrary<ModelCheck> = fc.record({
  says: fc.constantFrom<Says[]>('pass', 'pass', 'fail', 'error'),
  failOnError: fc.boolean(),
  appends: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
});

const modelHook: fc.Arbitrary<ModelHook> = fc.record({
  kind: fc.constantFrom<ModelHook['kind'][]>('guardrail', 'guardrail', 'mutator', 'background', 'sequential'),
  denyOnFail: fc.boolean(),
  denyOnSuccess: fc.constantFrom(false, false, false, true),
  checks: fc.array(modelCheck, { minLength: 1, maxLength: 3 }),
});

const holds = ({ says, failOnError }: ModelCheck): boolean => says === 'pass' || (says === 'error' && !failOnError);

/** Returns the checks of a hook that run. */
const running = ({ kind, checks }: ModelHook): readonly ModelCheck[] => {
  const first = kind === 'sequential' ? checks.findIndex((check) => !holds(check)) : -1;
  return first === -1 ? checks : checks.slice(0, first + 1);
};

interface Outcome {
  readonly status: number;
  /** The text that is sent; undefined if nothing is sent. */
  readonly text: string | undefined;
  /** The verdict of each hook that is shown and those of its checks, in order. */
  readonly shown: readonly string[];
}

/** Returns what the hooks make of the text `t`, as a plain model. */
const toOutcome = (hooks: readonly ModelHook[]): Outcome => {
  const places = hooks.map((hook, place) => ({ hook, place, isMutator: hook.kind === 'mutator' }));
  const waited = places.filter(({ hook }) => hook.kind !== 'background');
  const ran: { shown: string; place: number }[] = [];
  let text = 't';
  let denied = false;
  let failed = false;
  for (const { hook, place } of [...waited].sort((a, b) => Number(a.isMutator) - Number(b.isMutator))) {
    if (denied && hook.kind === 'mutator') continue;
    const checks = running(hook);
    const passes = checks.every(holds);
    ran.push({ place, shown: `${passes} [${checks.map(holds).join()}]` });
    denied ||= passes ? hook.denyOnSuccess : hook.denyOnFail;
    failed ||= !passes;
    text += checks.map(({ says, appends }) => (says === 'error' ? '' : (appends ?? ''))).join('');
  }
  const shown = ran.sort((a, b) => a.place - b.place).map((each) => each.shown);
  return { status: denied ? 446 : failed ? 246 : 200, text: denied ? undefined : text, shown };
};

/** Appends to the first piece, which two checks of one hook both see as the client wrote it. */
const model = defineGuardrail({
  id: 'test.model',
  parameters: {
    type: 'object',
    properties: { says: { enum: ['pass', 'fail', 'error'] }, appends: { type: 'string' } },
  },
  create:
    ({ says, appends }) =>
    ({ spans }) => {
      if (says === 'error') throw new Error('as scripted');
      const at = spans[0]?.text.length ?? 0;
      const replace = appends === undefined ? {} : { replace: [{ span: 0, from: at, to: at, with: appends }] };
      return { pass: says === 'pass', data: {}, ...replace };
    },
});

const toParameters = ({ says, failOnError, appends }: ModelCheck): JsonObject => ({
  says,
  failOnError,
  ...(appends === undefined ? {} : { appends }),
});

const denials = ({ denyOnFail, denyOnSuccess }: ModelHook): JsonObject => ({
  on_fail: { deny: denyOnFail },
  on_success: { deny: denyOnSuccess },
});

/** Hooks in long form come before guardrails. Only guardrails run in the background, and only saved ones in sequence. */
const toConfig = (hooks: readonly ModelHook[]) => {
  const guardrails: Record<string, JsonObject> = {};
  const ofChecks = ({ checks }: ModelHook): JsonObject =>
    Object.fromEntries(checks.map((check, index) => [`c${index}`, { ...toParameters(check), id: 'test.model' }]));
  const items = hooks.flatMap((hook, place): (JsonObject | string)[] => {
    if (hook.kind === 'background') return [{ id: `h${place}`, async: true, deny: hook.denyOnFail, ...ofChecks(hook) }];
    if (hook.kind !== 'sequential') return [];
    guardrails[`h${place}`] = { sequential: true, ...denials(hook), ...ofChecks(hook) };
    return [`h${place}`];
  });
  const long = hooks.flatMap((hook, place) =>
    hook.kind === 'guardrail' || hook.kind === 'mutator'
      ? [
          {
            id: `h${place}`,
            type: hook.kind,
            ...denials(hook),
            checks: hook.checks.map((check) => ({ id: 'test.model', parameters: toParameters(check) })),
          },
        ]
      : [],
  );
  return { config: { before_request_hooks: long, input_guardrails: items }, saved: { ...nothingSaved, guardrails } };
};

/** Returns the hooks in the order of `toConfig`. */
const inOrder = (hooks: readonly ModelHook[]): readonly ModelHook[] => [
  ...hooks.filter(({ kind }) => kind === 'guardrail' || kind === 'mutator'),
  ...hooks.filter(({ kind }) => kind !== 'guardrail' && kind !== 'mutator'),
];

const plugin = definePlugin({ name: 'model', guardrails: [model] });

const readShown = (json: JsonObject): readonly string[] => {
  const { before_request_hooks: results = [] } = (json.hook_results ?? {}) as { before_request_hooks?: JsonObject[] };
  return results.map(
    ({ verdict, checks }) => `${verdict} [${(checks as JsonObject[]).map((check) => check.verdict).join()}]`,
  );
};

describe('the hooks of a request', () => {
  it('produce the status, the text and the results of a plain model', { timeout: slowLawMs }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(modelHook, { maxLength: 4 }).map(inOrder), async (hooks) => {
        const { config, saved } = toConfig(hooks);
        const world = checkedConfig(config, {}, { plugins: [plugin], saved });
        const { response, json } = await world.ask(asking('t'));
        const expected = toOutcome(hooks);
        expect(response.status).toBe(expected.status);
        expect(readShown(json)).toEqual(expected.shown);
        expect(world.sent()).toEqual(expected.text === undefined ? [] : [asking(expected.text)]);
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 4) },
    );
  });
});

describe('a plugin that observes verdicts', () => {
  it('sees the verdict of every hook, and that of a background hook after the answer', async () => {
    const judged: JudgedHook[] = [];
    const looking = definePlugin({
      name: 'looking',
      apply: (hooks) => hooks.judged.tap('looking', (event) => judged.push(event)),
    });
    const config = checkedConfig(
      {
        input_guardrails: [
          { id: 'front', 'test.front': {} },
          { id: 'back', async: true, 'test.back': {} },
        ],
        output_guardrails: [{ id: 'after', 'test.front': {} }],
      },
      {
        front: () => ({ pass: true, data: {} }),
        back: () => new Promise((settle) => config.clock.after(3000, () => settle({ pass: false, data: {} }))),
      },
      { plugins: [looking] },
    );
    await config.ask(asking('a'));
    expect(judged.map(({ phase, result }) => [phase, result.id])).toEqual([
      ['input', 'front'],
      ['output', 'after'],
    ]);
    config.clock.advance(3000);
    await config.clock.settle(Promise.resolve());
    expect(judged.at(-1)).toMatchObject({
      path: '',
      phase: 'input',
      result: { id: 'back', verdict: false, async: true },
    });
  });

  it('cannot disturb the request by throwing', async () => {
    const looking = definePlugin({
      name: 'looking',
      apply: (hooks) =>
        hooks.judged.tap('looking', () => {
          throw new Error('boom');
        }),
    });
    const config = checkedConfig(
      { input_guardrails: [{ 'test.one': {} }] },
      { one: () => ({ pass: true, data: {} }) },
      { plugins: [looking] },
    );
    expect((await config.ask(asking('a'))).response.status).toBe(200);
  });
});

describe('replacing and restoring values', () => {
  it('leave what a provider repeats unchanged', { timeout: slowLawMs }, async () => {
    const hide: Check = (input) => ({
      pass: true,
      data: {},
      replace: [...new Set(input.text.match(/\d/g) ?? [])].flatMap((digit) =>
        occurrences(
          input,
          digit,
          `[D${digit.charCodeAt(0)}_]`.replace(/\d/g, (d) => 'abcdefghij'.charAt(Number(d))),
        ),
      ),
      restore: Object.fromEntries(
        (input.text.match(/\d/g) ?? []).map((digit) => [
          `[D${digit.charCodeAt(0)}_]`.replace(/\d/g, (d) => 'abcdefghij'.charAt(Number(d))),
          digit,
        ]),
      ),
    });
    const echoing = checkedConfig(
      { before_request_hooks: [{ id: 'h', type: 'mutator', checks: [{ id: 'test.hide', parameters: {} }] }] },
      { hide },
      {
        upstream: ({ body }) => {
          const { messages } = JSON.parse(Buffer.from(body.kind === 'bytes' ? body.bytes : []).toString());
          return stubAnswer({ id: 'a', choices: [{ index: 0, message: messages[0], finish_reason: 'stop' }] });
        },
      },
    );
    const text = fc.string({ unit: fc.constantFrom(...'0123456789ab "\\[]{}_D'), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, text, async (content, value) => {
        const message = {
          role: 'assistant',
          content,
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ [value]: [value] }) } },
          ],
        };
        const { json } = await echoing.ask({ model: 'm', messages: [message] });
        expect(JSON.stringify(echoing.sent().at(-1))).not.toMatch(/\d/);
        expect(json).toMatchObject({ choices: [{ message }] });
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 2) },
    );
  });
});
