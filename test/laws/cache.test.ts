import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.ts';
import { builtinPlugins } from '../../plugins/builtin.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, pass } from '../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../plugins/sdk/plugin/plugin.ts';
import { receiveBody } from '../../plugins/testkit/route/received-body.ts';
import { createVirtualClock } from '../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../runtime/engine/gateway.ts';
import { wholeStages } from '../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../runtime/in-memory/seeded-chance.ts';
import { nothingSaved } from '../../schema/config/saved.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { sampleExchange, toTenant } from '../support/in-process/sample-exchange.ts';
import { createStubUpstreams, type StubHandler, stubAnswer } from '../support/in-process/stub-upstreams.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';
import { anthropicAnswer, anthropicStream } from '../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiStream } from '../support/vendors/openai-wire.ts';

const shared = { cache: { mode: 'simple' }, forward_headers: ['x-team'] };
const openai = { provider: 'openai', api_key: '${env:KEY_A}', ...shared };

/** Leaves that each differ in one setting. */
const configs: readonly JsonObject[] = [
  openai,
  { ...openai, api_key: '${env:KEY_B}' },
  { ...openai, custom_host: 'https://other.example/v1' },
  { ...openai, override_params: { temperature: 0.5 } },
  { ...openai, output_guardrails: [{ 'test.passes': {}, async: true }] },
  { ...openai, strict_llmv_compliance: false },
  { provider: 'groq', api_key: '${env:KEY_A}', ...shared },
  { provider: 'anthropic', api_key: '${env:KEY_A}', ...shared },
  { ...openai, request_timeout: 5000, retry: { attempts: 1 } },
];
/** Time-outs and retries affect whether there is an answer, but not which one. Strictness is compared by its effective value. */
const sameAs = (config: number): number => {
  const { strict_llmv_compliance: _strict, request_timeout: _timeout, retry: _retry, ...rest } = configs[config] ?? {};
  return configs.findIndex((each) => JSON.stringify(each) === JSON.stringify(rest));
};

const passes = definePlugin({
  name: 'passes',
  guardrails: [
    defineGuardrail({
      id: 'test.passes',
      parameters: { type: 'object', properties: {} },
      create: () => () => pass(),
    }),
  ],
});

const requests = fc.record({
  config: fc.integer({ min: 0, max: configs.length - 1 }),
  tenant: fc.constantFrom('a', 'b'),
  dialect: fc.constantFrom('chat', 'messages'),
  model: fc.constantFrom('m', 'n'),
  text: fc.constantFrom('hi', 'ho'),
  stream: fc.boolean(),
  /** Bytes with the same meaning but different formatting count as different. */
  isSpaced: fc.boolean(),
  team: fc.constantFrom(undefined, '1', '2'),
  /** This header is not forwarded, so it has no influence. */
  trace: fc.constantFrom('1', '2'),
  user: fc.constantFrom('u', 'v'),
  namespace: fc.constantFrom(undefined, 'x', 'y'),
  strict: fc.constantFrom(undefined, false),
});
type Asked = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Returns everything that two requests must have in common to share an answer. A translated body is written anew. A namespace
 * replaces the metadata and the forwarded headers.
 */
const toModel = ({ config, trace: _trace, team, user, namespace, strict, isSpaced, ...rest }: Asked): string => {
  const isTranslated = (configs[config]?.provider === 'anthropic') !== (rest.dialect === 'messages');
  const isStrict = configs[config]?.strict_llmv_compliance !== false && strict !== false;
  const bytes = { isSpaced: isSpaced && !isTranslated };
  return JSON.stringify({
    ...rest,
    ...bytes,
    config: sameAs(config),
    partition: namespace ?? { user, team },
    isStrict,
  });
};

const toExchange = ({
  tenant,
  dialect,
  model,
  text,
  stream,
  isSpaced,
  team,
  trace,
  user,
  ...more
}: Asked): Exchange => {
  const params = {
    model,
    ...(dialect === 'messages' ? { max_tokens: 16 } : {}),
    messages: [{ role: 'user', content: text }],
    ...(stream ? { stream } : {}),
  };
  const path = dialect === 'messages' ? '/messages' : '/chat/completions';
  const { namespace, strict } = more;
  return sampleExchange(params, {
    principal: { tenant: toTenant(tenant) },
    route: { operation: 'converse', dialect },
    request: {
      method: 'POST',
      path,
      headers: ['x-trace', trace, ...(team === undefined ? [] : ['X-Team', team])],
      body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(params, null, isSpaced ? 1 : 0)) },
    },
    overrides: {
      ...(namespace === undefined ? {} : { cacheNamespace: namespace }),
      ...(strict === undefined ? {} : { strict }),
    },
    facts: { metadata: { user }, params, url: { pathname: `/v1${path}` } },
    trail: [],
  });
};

const sse = ['content-type', 'text/event-stream'];

/** Creates an upstream that includes the number of the call in its answer. */
const counting = (): StubHandler => {
  let calls = 0;
  return ({ origin, body }) => {
    const isStream = body.kind === 'bytes' && JSON.parse(Buffer.from(body.bytes).toString()).stream === true;
    const reply = { text: `<${calls}>` };
    calls += 1;
    const isAnthropic = origin.includes('anthropic');
    if (isStream)
      return stubAnswer((isAnthropic ? anthropicStream(reply) : openaiStream(reply)).join(''), { headers: sse });
    return stubAnswer(isAnthropic ? anthropicAnswer(reply) : openaiAnswer(reply));
  };
};

const catalogue = buildCatalogue([...builtinPlugins, passes]);
const plans = configs.map((config) => {
  const { plan, diagnostics } = compile(JSON.stringify(config), { trust: 'operator', saved: nothingSaved, catalogue });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return plan;
});

/** Runs the requests one after another. Returns, for each, the number of the call whose answer it got, and its cache status. */
const run = async (asked: readonly Asked[]) => {
  const clock = createVirtualClock();
  const upstreams = createStubUpstreams(counting());
  const gateway = createRuntime({
    stageCode: wholeStages,
    plugins: [...builtinPlugins, passes],
    ports: { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams },
  });
  const linked = plans.map((plan) => gateway.link({ plan, secrets: (ref) => ref }));
  const results: { readonly call: number; readonly cache: string | undefined; readonly bytes: string }[] = [];
  for (const each of asked) {
    const plan = linked[each.config];
    if (plan === undefined) throw new RangeError('There is no such config.');
    const response = await clock.settle(gateway.handle(toExchange(each), plan));
    const bytes = Buffer.from((await clock.settle(receiveBody(response.body))).bytes).toString();
    results.push({ call: Number(/<(\d+)>/.exec(bytes)?.[1]), cache: response.leaf?.cache, bytes });
  }
  await gateway.close();
  return { results, calls: upstreams.requests.length };
};

describe('the response cache', () => {
  it('returns a stored answer to an equal request, byte for byte, and to no other', { timeout: slowLawMs }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 2, maxLength: 12 }), async (asked) => {
        const { results } = await run([...asked, ...asked]);
        const answers = new Map<string, { readonly call: number; readonly bytes: string }>();
        let calls = 0;
        for (const [at, each] of [...asked, ...asked].entries()) {
          const known = answers.get(toModel(each));
          const { call, cache, bytes } = results[at] ?? {};
          if (known === undefined) {
            expect([call, cache]).toEqual([calls, 'MISS']);
            answers.set(toModel(each), { call: calls, bytes: bytes ?? '' });
            calls += 1;
          } else expect({ call, cache, bytes }).toEqual({ ...known, cache: 'HIT' });
        }
      }),
      dearLawRuns,
    ),
  );
});
