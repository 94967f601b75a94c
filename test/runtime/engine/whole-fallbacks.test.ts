import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const target = { provider: 'openai', api_key: '${env:KEY}' };
const fallback = (count: number, strategy: JsonObject = {}) => ({
  strategy: { mode: 'fallback', ...strategy },
  targets: Array.from({ length: count }, (_, at) => ({ ...target, override_params: { model: `m${at}` } })),
});

const refused = errorReport('connection-failed', { host: 'h', reason: 'it refused the connection.' });

const answerOf = async (
  config: JsonObject,
  downFrom = 0,
  error = refused,
  exchange: Partial<Exchange> = {},
): Promise<GatewayResponse> => {
  let asked = 0;
  const { handle } = runConfig(config, {
    upstream: () => {
      asked += 1;
      if (asked <= downFrom) return stubAnswer({}, { status: 503 });
      return { kind: 'failure', error };
    },
  });
  return await handle(sampleExchange(question, exchange));
};

const textOf = ({ body }: GatewayResponse): string => (body.kind === 'bytes' ? body.bytes.toString() : '');
const advice = 'or add a fallback target';

describe('the error of a fallback that has tried all its targets', () => {
  it('reports that in place of the advice to add a target, in the answer and in the log', async () => {
    const answer = await answerOf(fallback(3));
    const failed = 'Check the host. All 3 targets that the fallback tried failed: ';
    const whole = `${failed}with x-gw-usage: true, the header x-gw-attempts lists them; with GW_LOG=requests or a store, the log does too.`;
    expect(answer).toMatchObject({
      status: 502,
      cause: 'connection-failed',
      loggedHint: `${failed}the trail lists them.`,
    });
    expect(JSON.parse(textOf(answer))).toMatchObject({ error: { message: expect.stringContaining(whole) } });
    expect(textOf(answer)).not.toContain(advice);
  });

  it('is that of the last target, whatever the others answered', async () => {
    expect(textOf(await answerOf(fallback(2), 1))).toContain(
      'Check the host. Both targets that the fallback tried failed: ',
    );
  });

  it('is logged as the answer explains it if fallbacks are nested', async () => {
    const outer = fallback(3, { on_status_codes: [502] });
    const answer = await answerOf({ ...outer, targets: [...outer.targets.slice(0, 2), fallback(2)] });
    const failed = 'Check the host. Both targets that the fallback tried failed: ';
    expect(textOf(answer)).toContain(failed);
    expect(answer.loggedHint).toBe(`${failed}the trail lists them.`);
  });

  it('omits the advice to add a fallback target for a full pool too', async () => {
    const full = errorReport('pool-full', { host: 'h' });
    expect(textOf(await answerOf(fallback(1), 0, full))).toContain('Try again later, or add a fallback target.');
    expect(textOf(await answerOf(fallback(2), 0, full))).toContain(
      'Try again later. Both targets that the fallback tried failed: ',
    );
  });

  it('explains that a passed-through path is not sent to targets of other providers', async () => {
    const other = { provider: 'anthropic', api_key: '${env:KEY}' };
    const passed = { route: { operation: 'opaque' } } as const;
    const textAt = async (targets: readonly JsonObject[]): Promise<string> =>
      textOf(await answerOf({ strategy: { mode: 'fallback' }, targets }, 0, refused, passed));
    expect(await textAt([target, other])).toContain(
      `Check the host. A passed-through path is not sent to another provider's targets, so the fallback ends here."`,
    );
    expect(await textAt([target, target, other])).toContain(
      'Check the host. The 2 targets that the fallback tried failed: ',
    );
    expect(await textAt([target, target])).toContain('Check the host. Both targets that the fallback tried failed: ');
  });
});

describe('the error of a target after which no other target is tried', () => {
  it.each([
    ['its fallback has no other target', fallback(1)],
    ['its status does not trigger the fallback', fallback(2, { on_status_codes: [429] })],
    ['there is no fallback', target],
  ])('keeps the advice to add a fallback target if %s', async (_, config) => {
    const answer = await answerOf(config);
    expect(textOf(answer)).toContain(advice);
    expect(answer.loggedHint).toBeUndefined();
  });
});

it.each([
  ['connection-failed', errorReport('connection-failed', { host: 'h', reason: 'r' })],
  ['request-timeout', errorReport('request-timeout', { ms: 1 })],
])('finds the replaced advice in the hint of %s', (_, { message }) => {
  expect(message).toContain(`, ${advice}`);
});
