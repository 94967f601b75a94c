import { expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../plugins/sdk/provider/provider.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../../../runtime/engine/gateway.ts';
import { wholeStages } from '../../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { createScriptedUpstreams } from '../../../support/in-process/scripted-upstreams.ts';

/** A provider that exchanges its key for a token, like watsonx, and caches the token. */
const minting = defineProvider({
  id: 'minting',
  documentation: 'https://example.test/',
  credential: 'required',
  speaks: { chat: '/chat/completions' },
  baseUrl: 'http://t.test/v1',
  headers: () => [],
  authorize: async (request, { credential, cached }) => {
    const make = async () => ({ value: `token of ${credential.api_key}`, expiresAt: 9e15 });
    return { ...request, headers: [...request.headers, 'authorization', await cached('token', make)] };
  },
});

it('uses a separate token for each key of a pool', async () => {
  const plugin = definePlugin({ name: 'minting', providers: [minting], dialects: [chat] });
  const keys = [{ api_key: '${env:A}' }, { api_key: '${env:B}' }];
  const text = JSON.stringify({ provider: 'minting', keys });
  const { plan } = compile(text, { trust: 'operator', catalogue: buildCatalogue([plugin]) });
  if (plan === undefined) throw new Error('The config is right.');
  const clock = createVirtualClock();
  const sent = new Map<number | undefined, Set<string | undefined>>();
  let token: string | undefined;
  const upstreams = createScriptedUpstreams(() => ({ kind: 'answer', status: 200, headers: {} }), clock, {
    findKey: (_target, line) => {
      token = line;
      return undefined;
    },
  });
  const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
  const runtime = createRuntime({ stageCode: wholeStages, plugins: [plugin], ports });
  const linked = runtime.link({ plan, secrets: (ref) => ref });
  for (let seed = 0; seed < 20; seed += 1) {
    const exchange = sampleExchange({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }, { seed });
    await clock.settle(linked.execute(exchange));
    const attempted = exchange.trail.find((event) => event.kind === 'attempted');
    sent.set(attempted?.key, (sent.get(attempted?.key) ?? new Set()).add(token));
  }
  expect(sent).toEqual(
    new Map([
      [0, new Set(['token of ${env:A}'])],
      [1, new Set(['token of ${env:B}'])],
    ]),
  );
});
