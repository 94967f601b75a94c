import { expect } from 'vitest';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { makePolicy } from '../e2e/limits/support/limited-gateway.ts';
import { readRecord } from '../e2e/logs/support/logged.ts';
import type { GatewayProcess } from '../support/gateways/gateway-process.ts';
import { makeKey } from '../support/gateways/stored-gateway.ts';
import type { TestUpstream } from '../support/servers/upstream-server.ts';
import type { OperationSample } from './samples.ts';

const secret = 'a secret';
const harmless = 'nothing to hide';
const denying = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };

export interface OperationTrial {
  readonly dialect: Dialect;
  readonly sample: OperationSample;
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
}

/** The cells of a row, by column. */
export type OperationRow = Readonly<Record<string, string>>;

/** Describes how a denying check treats a text with a secret and a harmless one. */
const toVerdict = (ofSecret: number, ofHarmless: number): string => {
  if (ofHarmless === 446) return 'refused';
  return ofSecret === 446 ? 'judged' : 'nothing to judge';
};

/** Tries the requests of a dialect at a gateway with a store, and returns what it does with them. */
export const tryOperation = async ({ dialect, sample, gateway, upstream }: OperationTrial): Promise<OperationRow> => {
  const [route] = dialect.routes ?? expect.unreachable();
  const path = (route ?? expect.unreachable()).path.replace('{model}', sample.model ?? 'm');
  const { key, id } = await makeKey(gateway, dialect.id);
  const target: JsonObject = {
    provider: sample.provider,
    api_key: 'key-of-the-test',
    custom_host: upstream.origin,
    ...sample.settings,
  };
  const send = async (config: JsonObject, text: string, headers: Record<string, string> = {}): Promise<Response> => {
    const body = sample.request(text);
    return fetch(`${gateway.origin}${path.startsWith('/v') ? '' : '/v1'}${path}`, {
      method: 'POST',
      headers: {
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...{ 'x-gw-api-key': key, 'x-gw-config': JSON.stringify(config), ...headers },
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
  };
  /** Makes the upstream fail the given number of requests, then answer all others. Counts the calls in the returned object. */
  const serve = (text: string, failures = 0): { calls: number } => {
    const seen = { calls: 0 };
    upstream.handle((call) => {
      seen.calls += 1;
      const answer = sample.answer(text);
      if (seen.calls <= failures) call.json({ error: { message: 'Busy.' }, message: 'Busy.' }, { status: 503 });
      else if (Buffer.isBuffer(answer)) call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: answer });
      else call.json(answer);
    });
    return seen;
  };
  const statusOf = async (config: JsonObject, text: string): Promise<number> => {
    const answer = await send(config, text);
    await answer.arrayBuffer();
    return answer.status;
  };

  const served = serve(harmless);
  expect(await statusOf(target, harmless), `${dialect.id} ${path}`).toBe(200);
  expect(served.calls).toBe(1);
  const input = { ...target, input_guardrails: [denying] };
  const judgedInput = toVerdict(await statusOf(input, secret), await statusOf(input, harmless));
  const output = { ...target, output_guardrails: [denying] };
  serve(secret);
  const deniedOutput = await statusOf(output, harmless);
  serve(harmless);
  const judgedOutput = toVerdict(deniedOutput, await statusOf(output, harmless));

  const retried = serve(harmless, 1);
  const retry = [await statusOf({ ...target, retry: { attempts: 1 } }, harmless), retried.calls].join(' in ');
  const fallen = serve(harmless, 1);
  const both = { strategy: { mode: 'fallback' }, targets: [target, target] };
  const fallback = [await statusOf(both, harmless), fallen.calls].join(' in ');
  serve(harmless);
  const cached = { ...target, cache: { mode: 'simple' } };
  await statusOf(cached, 'cached');
  const hit = await send(cached, 'cached');
  await hit.arrayBuffer();

  const asked = await send(target, harmless, { 'x-gw-usage': 'true' });
  await asked.arrayBuffer();
  const record = await readRecord(gateway, asked.headers.get('x-gw-trace-id') ?? '');
  await makePolicy(gateway, 'rate-limits', {
    ...{ type: 'requests', unit: 'rph', value: 1 },
    conditions: [{ key: 'api_key', value: id }],
  });
  await expect.poll(() => statusOf(target, harmless)).toBe(429);
  return {
    'input check that may deny': judgedInput,
    'output check that may deny': judgedOutput,
    retry,
    fallback,
    cache: hit.headers.get('x-gw-cache-status') ?? '',
    'usage in the log': record.usage?.kind ?? record.attempts?.[0]?.usage?.kind ?? JSON.stringify(Object.keys(record)),
    'limit of requests': '429',
  };
};
