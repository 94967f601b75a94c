import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { emitPlanJson } from '../../../compiler/emit/emit-plan-json.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const config = (deny: boolean): object => ({
  provider: 'openai',
  api_key: '${env:REPAIR_KEY}',
  custom_host: `${upstream.origin}/v1`,
  retry: { attempts: 1, on_status_codes: [446, 500] },
  output_guardrails: [
    { 'default.jsonSchema': { schema: { type: 'object', required: ['name'] }, repair: true }, deny },
    { 'default.wordCount': { minWords: 1, maxWords: 1000 } },
  ],
});

const toPlan = (name: string, deny: boolean): string => emitPlanJson(compileConfig(JSON.stringify(config(deny)), name));

/** The text of a model; 500 stands for a failure. */
type Said = string | 500;

/** The remaining answers. */
let answers: Said[] = [];

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const next = answers.shift() ?? '{"name": "Ada"}';
    if (next === 500) return call.json({ error: { message: 'broken' } }, { status: 500 });
    if (!call.request.body.toString().includes('"stream":true')) return call.json(openaiAnswer({ text: next }));
    const sse = call.sse();
    for (const frame of openaiStream({ text: next })) sse.send(frame);
    sse.end();
  });
  gateway = await startGateway({
    files: { 'plans/denying.plan.json': toPlan('denying', true), 'plans/marking.plan.json': toPlan('marking', false) },
    args: ['--plans', 'plans'],
    env: { GW_LOG: 'requests', REPAIR_KEY: 'k' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  rmSync(gateway.folder, { recursive: true, force: true });
});

const requests: readonly { readonly trace: string; readonly said: readonly Said[]; readonly status: number }[] = [
  { trace: 'repaired', said: ['no'], status: 200 },
  { trace: 'wrong', said: ['no', 'no', 'no', 'no'], status: 446 },
  { trace: 'failed', said: ['no', 500], status: 200 },
  { trace: 'retried-first', said: [500, 'no', '{"name": 1}'], status: 200 },
];
const cases = ['denying', 'marking'].flatMap((plan) =>
  requests.flatMap((request) => [true, false].map((stream) => ({ ...request, plan, stream }))),
);

describe('the log line of a request whose answer was repaired after a check', () => {
  it.each(cases)('$trace, with a check that is $plan, stream $stream, is repeated by gw explain', async (request) => {
    const { plan, stream } = request;
    const trace = `${request.trace}-${plan}-${stream}`;
    answers = [...request.said];
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': plan, 'x-gw-trace-id': trace },
      body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Who?' }] }),
    });
    await response.text();
    const line = await vi.waitFor(() => {
      const found = gateway.records().find((record) => record.trace === trace);
      expect(found).toBeDefined();
      return found;
    }, patience);
    writeFileSync(path.join(gateway.folder, 'line.json'), JSON.stringify(line));
    const argv = ['explain', `plans/${plan}.plan.json`, '--request', 'line.json', '--format', 'json'];
    const { out, err } = await runGw(gateway.folder, argv);
    expect(err).toBe('');
    const explained = JSON.parse(out).request;
    expect({ trail: explained.trail, status: explained.status }).toEqual({ trail: line?.trail, status: line?.status });
    if (plan === 'denying') expect(line?.status).toBe(request.status);
    expect(line?.trail).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'attempted', attempt: 2 })]));
  });
});
