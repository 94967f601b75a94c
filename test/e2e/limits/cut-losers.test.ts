import { expect, it, vi } from 'vitest';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey, callControl } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import type { Answering } from '../kills/traffic/support/counting-provider.ts';
import { reported, unfinished } from '../kills/traffic/support/expected-rows.ts';
import { askedBytes, heldBack, serveTraffic } from '../kills/traffic/support/traffic-gateway.ts';

const loser: Answering = { words: 7, end: 'open', used: { input: 44, output: 33 } };
/** It answers after the other target has sent its words. */
const winner: Answering = { words: 2, end: 'whole', waitMs: 500, used: { input: 41, output: 31 } };

it('counts a call that is cut off during its stream once in ledger, limits, usage, log and metrics', async () => {
  const traffic = await serveTraffic({ file: { metrics: true } });
  const { gateway, claude, gpt, keys } = traffic;
  const script = { ticket: 'cut', answers: { claude: loser, gpt: winner } };
  const answer = traffic.ask(script, { key: keys[0], config: heldBack, stream: true });
  await answer.ended;
  expect(answer.text).toContain('[DONE]');
  const [[cut], [whole]] = [claude.calls, gpt.calls];
  if (cut === undefined || whole === undefined) throw new Error('One of them was not asked.');
  // The provider reported 44 tokens when its stream began, and 35 bytes of text arrived.
  expect(unfinished(cut, askedBytes(script))).toMatchObject({ kind: 'partial', input: 44, output: 9 });
  await traffic.expectRows([unfinished(cut, askedBytes(script)), reported(whole)], []);

  const records = async (): Promise<readonly { readonly id: string }[]> =>
    JSON.parse((await callControl(gateway, 'GET /logs', { workspace: 'default' })).text).data;
  await vi.waitFor(async () => expect(await records()).toHaveLength(1), patience);
  const [record] = await records();
  const { text } = await callControl(gateway, `GET /logs/${record?.id}`, { workspace: 'default' });
  const settled = (JSON.parse(text).trail as readonly { readonly kind: string }[]).filter(
    ({ kind }) => kind === 'settled',
  );
  // The losing call is settled when the other one receives its first words.
  expect(settled).toMatchObject([
    {
      path: '/targets/0',
      usage: { kind: 'partial', input: { total: 44 }, output: { total: 9 }, cost: { nanoUsd: 133_000 } },
    },
    { path: '/targets/1', usage: { kind: 'reported', input: { total: 41 }, output: { total: 31 } } },
  ]);
  expect(settled).toHaveLength(2);

  const metrics = await readMetrics(gateway.origin, { 'x-gw-api-key': adminKey });
  const labels = 'plan="(caller)",target="(caller)"';
  // 4 tokens of each prompt were read from a cache.
  expect(toLines(metrics, 'gatewright_tokens_total')).toEqual({
    [`{${labels},provider="anthropic",sort="input"}`]: 40,
    [`{${labels},provider="anthropic",sort="cache_read"}`]: 4,
    [`{${labels},provider="anthropic",sort="output"}`]: 9,
    [`{${labels},provider="openai",sort="input"}`]: 37,
    [`{${labels},provider="openai",sort="cache_read"}`]: 4,
    [`{${labels},provider="openai",sort="output"}`]: 31,
  });
  expect(toLines(metrics, 'gatewright_cost_usd_total')).toEqual({
    [`{${labels},provider="anthropic"}`]: expect.closeTo(0.000133, 9),
    [`{${labels},provider="openai"}`]: expect.closeTo(0.000134, 9),
  });
});
