import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import {
  type GatewayProcess,
  type GatewayStart,
  startGateway,
  writeFolder,
} from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask as askLimited, limitedGateway, makePolicy } from '../limits/support/limited-gateway.ts';
import { secret, started, states, verified } from './support/receivers.ts';

const routingKey = 'R0UT1NGKEYR0UT1NGKEYR0UT1NGKEYXX';
const env = { ALERTS_SECRET: secret, PAGERDUTY_ROUTING_KEY: routingKey, PROVIDER_KEY: 'sk-provider-key' };

/** A provider that fails until `mend` is called. */
const provider = async (failure = 503) => {
  let status = failure;
  const upstream = await started((call) =>
    status === 200
      ? call.json(openaiAnswer({ text: 'Hello!' }))
      : call.json({ error: { message: 'A secret text of the answer.' } }, { status }),
  );
  const mend = (): void => {
    status = 200;
  };
  return { upstream, mend };
};

const startAlerted = async (
  alerts: object,
  upstream: TestUpstream,
  more: GatewayStart = {},
): Promise<GatewayProcess> => {
  const gateway = await startGateway({
    env,
    ...more,
    files: {
      'gateway.json': { configs: 'configs', default_config: 'main', metrics: true, alerts },
      'configs/main.json': {
        ...{ provider: 'openai', api_key: '${env:PROVIDER_KEY}', custom_host: `${upstream.origin}/v1` },
        cb_config: { failure_threshold: 3, cooldown_interval: 30_000 },
        probe: { path: '/models', every_ms: 1000 },
      },
    },
  });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const ask = async ({ baseUrl }: GatewayProcess): Promise<number> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'A secret text of the request.' }],
    }),
  });
  await answer.text();
  return answer.status;
};

const readyz = async ({ origin }: GatewayProcess): Promise<{ readonly alerts: readonly Record<string, unknown>[] }> =>
  JSON.parse(await (await fetch(`${origin}/readyz`)).text());

const rates = { percent: 20, of_last_s: 10, at_least: 5 };

// `isSampled` rotates them by its second argument: each day, each test runs in one of the two.
describe.each([
  [1, 0],
  [3, 1],
])('alerts of a gateway of %i workers', (workers, way) => {
  const args = ['--workers', String(workers)];
  const start: typeof startAlerted = (alerts, upstream, more) => startAlerted(alerts, upstream, { ...more, args });

  it.runIf(isSampled(0, way, 2))(
    'reach each receiver in its own form, even if another receiver fails, and never contain texts or secrets',
    async () => {
      const { upstream, mend } = await provider();
      const webhook = await started();
      const slack = await started((call) => call.answer({ body: 'ok' }));
      const pagerduty = await started((call) => call.json({ status: 'success' }, { status: 202 }));
      const hanging = await started(() => {});
      const refusing = await started((call) => call.answer({ status: 400 }));
      const gateway = await start(
        {
          to: [
            { webhook: `${hanging.origin}/hook` },
            { webhook: `${webhook.origin}/hook`, secret: '${env:ALERTS_SECRET}' },
            { slack: '${env:SLACK_WEBHOOK_URL}', on: ['circuit.open'] },
            { pagerduty: '${env:PAGERDUTY_ROUTING_KEY}', url: `${pagerduty.origin}/v2/enqueue`, severity: 'error' },
            { webhook: refusing.origin },
          ],
          ...{ errors: rates, every_s: 1, name: 'gw-1' },
        },
        upstream,
        { env: { ...env, SLACK_WEBHOOK_URL: `${slack.origin}/services/T/B/slack-secret` } },
      );
      for (let at = 0; at < 8; at += 1) await ask(gateway);
      await vi.waitFor(
        () => expect(states(webhook).toSorted()).toEqual(['circuit.open open', 'errors.high open', 'errors.high open']),
        patience,
      );
      mend();
      await vi.waitFor(async () => {
        await ask(gateway);
        expect(states(webhook)).toContain('circuit.open resolved');
      }, patience);
      await vi.waitFor(
        () => expect(states(webhook).filter((state) => state === 'errors.high resolved')).toHaveLength(2),
        patience,
      );
      await vi.waitFor(() => expect(slack.requests).toHaveLength(2), patience);
      const [opened, closed] = slack.requests.map((request) => request.json().text);
      expect(opened).toContain('is open');
      expect(closed).toContain('is closed again');
      expect(slack.requests[0]?.path).toBe('/services/T/B/slack-secret');
      await vi.waitFor(() => expect(pagerduty.requests.length).toBeGreaterThanOrEqual(4), patience);
      const events = pagerduty.requests.map((request) => request.json());
      expect(new Set(events.map(({ routing_key }) => routing_key))).toEqual(new Set([routingKey]));
      // The alert about the target's failure rate is a warning, which is below this receiver's severity.
      for (const key of new Set(events.map(({ dedup_key }) => dedup_key)))
        expect(events.filter(({ dedup_key }) => dedup_key === key).map(({ event_action }) => event_action)).toEqual([
          'trigger',
          'resolve',
        ]);
      const sent = [webhook, slack, pagerduty].flatMap(({ requests }) => requests.map((request) => request.text()));
      expect(sent.join('\n')).not.toMatch(/secret text|sk-provider|whsec_|slack-secret/);

      const { alerts } = await readyz(gateway);
      expect(alerts.map(({ to }) => to)).toEqual(['webhook', 'webhook', 'slack', 'pagerduty', 'webhook']);
      expect(alerts[0]).toMatchObject({ delivered: 0 });
      expect(alerts[2]).toMatchObject({ delivered: 2, waiting: 0 });
      expect(alerts[4]).toMatchObject({ delivered: 0, failing: 'It answered 400.' });
      const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
      expect(metrics).toContain('gatewright_alerts_total{receiver="slack",result="delivered"} 2');
      expect(gateway.printed()).toContain('gw: Alerts are not delivered to receiver 5 (webhook): It answered 400.\n');
      expect(gateway.printed()).not.toContain('slack-secret');
    },
  );

  it.runIf(isSampled(1, way, 2))(
    'report that a provider refuses the only credential of a target, until it is accepted again',
    async () => {
      const { upstream, mend } = await provider(401);
      const webhook = await started();
      const gateway = await start(
        { to: [{ webhook: webhook.origin, secret: '${env:ALERTS_SECRET}', on: ['credential.refused'] }], every_s: 1 },
        upstream,
      );
      for (let at = 0; at < 3; at += 1) expect(await ask(gateway)).toBe(401);
      await vi.waitFor(() => expect(states(webhook)).toEqual(['credential.refused open']), patience);
      const [{ data } = { data: undefined }] = verified(webhook);
      expect(data).toMatchObject({
        severity: 'critical',
        title: 'The credential of target "openai" in config "main" is refused: openai answers 401.',
        details: { config: 'main', target: 'openai', provider: 'openai', status: 401 },
      });
      expect(JSON.stringify(data)).not.toMatch(/sk-provider|secret text/);
      const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
      expect(metrics).toContain(
        'gatewright_credential_refusals_total{plan="main",target="openai",provider="openai",result="refused"} 3',
      );
      mend();
      await vi.waitFor(async () => {
        await ask(gateway);
        expect(states(webhook)).toEqual(['credential.refused open', 'credential.refused resolved']);
      }, patience);
    },
  );

  it.runIf(isSampled(2, way, 2))(
    'are sent again with the same id while a receiver fails, and never follow its redirects',
    async () => {
      const { upstream } = await provider();
      const elsewhere = await started();
      let left = 2;
      const webhook = await started((call) => {
        left -= 1;
        if (left === 1) call.answer({ status: 503 });
        else if (left === 0) call.answer({ status: 302, headers: { location: elsewhere.origin } });
        else call.answer({});
      });
      const gateway = await start(
        { to: [{ webhook: webhook.origin, secret: '${env:ALERTS_SECRET}', on: ['circuit.open'] }] },
        upstream,
      );
      for (let at = 0; at < 3; at += 1) await ask(gateway);
      await vi.waitFor(() => expect(webhook.requests).toHaveLength(3), patience);
      expect(new Set(verified(webhook).map(({ data }) => data.id)).size).toBe(1);
      expect(elsewhere.requests).toEqual([]);
      await vi.waitFor(async () => {
        const { alerts } = await readyz(gateway);
        expect(alerts).toMatchObject([{ delivered: 1, retries: 2 }]);
      }, patience);
    },
  );

  it.runIf(isSampled(3, way, 2))(
    'report a rejected config once, however often it is reloaded, and report when it is valid again',
    async () => {
      const { upstream, mend } = await provider();
      mend();
      const webhook = await started();
      const gateway = await start(
        { to: [{ webhook: webhook.origin, secret: '${env:ALERTS_SECRET}' }], every_s: 1 },
        upstream,
      );
      const file = path.join(gateway.folder, 'configs/main.json');
      const write = (config: object): void => writeFileSync(file, JSON.stringify(config));
      write({ provider: 'no-such-provider' });
      await vi.waitFor(() => expect(states(webhook)).toEqual(['config.refused open']), patience);
      for (let at = 0; at < 3; at += 1) {
        const refusals = (): number => gateway.printed().split('error[unknown-provider]').length;
        const before = refusals();
        gateway.signal('SIGHUP');
        await vi.waitFor(() => expect(refusals()).toBeGreaterThan(before), patience);
        expect(await ask(gateway)).toBe(200);
      }
      expect(states(webhook)).toEqual(['config.refused open']);
      write({ provider: 'openai', api_key: '${env:PROVIDER_KEY}', custom_host: `${upstream.origin}/v1` });
      await vi.waitFor(
        () => expect(states(webhook)).toEqual(['config.refused open', 'config.refused resolved']),
        patience,
      );
      expect(verified(webhook)[0]?.data.details).toEqual({ file: 'main.json' });
    },
  );

  it.runIf(isSampled(4, way, 2))(
    'that are pending are sent before the gateway ends, followed by the alert that it stops',
    async () => {
      const { upstream } = await provider();
      const webhook = await started();
      const slow = await started((call) => void setTimeout(() => call.answer({}), 500));
      const on = ['circuit.open', 'gateway.started', 'gateway.stopped'];
      const gateway = await start(
        {
          to: [
            { webhook: webhook.origin, secret: '${env:ALERTS_SECRET}', on },
            { webhook: slow.origin, on },
          ],
        },
        upstream,
      );
      await vi.waitFor(() => expect(states(webhook)).toEqual(['gateway.started once']), patience);
      for (let at = 0; at < 3; at += 1) await ask(gateway);
      gateway.signal('SIGTERM');
      expect(await gateway.exited).toBe(0);
      expect(states(webhook)).toEqual(['gateway.started once', 'circuit.open open', 'gateway.stopped once']);
      expect(slow.requests).toHaveLength(3);
    },
  );

  it.runIf(isSampled(5, way, 2))(
    'report an exhausted policy of a store once for all of its counters, to the receivers for its workspace',
    async () => {
      const [webhook, ofDefault, ofOther] = [await started(), await started(), await started()];
      const signed = { secret: '${env:ALERTS_SECRET}' };
      const to = [
        { webhook: webhook.origin, ...signed },
        { webhook: ofDefault.origin, ...signed, workspaces: ['default'] },
        { webhook: ofOther.origin, ...signed, workspaces: ['other'] },
      ];
      const { gateway, key } = await limitedGateway('gateway.db', {
        ...{ env, args },
        files: {
          'gateway.json': {
            prices: { openai: { priced: { input: 1, output: 1 } } },
            alerts: { to, every_s: 3 },
          },
        },
      });
      await makePolicy(gateway, 'usage-limits', {
        ...{ name: 'Of a user', type: 'tokens', credit_limit: 10 },
        ...{ conditions: [{ key: 'metadata._user', value: '*' }], group_by: [{ key: 'metadata._user' }] },
      });
      const askAs = async (_user: string): Promise<number> => {
        const answer = await askLimited(gateway, { input: 5, output: 6 }, { key: key.key, metadata: { _user } });
        await answer.text();
        return answer.status;
      };
      // A worker counts nothing until it follows the policy.
      for (const user of ['ada', 'bob', 'eve']) await expect.poll(() => askAs(user), patience).toBe(412);
      await vi.waitFor(() => expect(verified(webhook)).toHaveLength(2), patience);
      const [first, others] = verified(webhook);
      expect(first).toMatchObject({
        type: 'limit.exhausted',
        data: { state: 'once', count: 1, details: { name: 'Of a user', used: 11, limit: 10 } },
      });
      expect(first?.data.workspace).toBeTypeOf('string');
      expect(others?.data.count).toBe(2);
      await vi.waitFor(() => expect(verified(ofDefault)).toHaveLength(2), patience);
      expect(ofOther.requests).toEqual([]);
    },
  );
});

it('does not send an alert again if the receiver breaks off its answer', async () => {
  const { upstream } = await provider();
  const breaking = await started((call) => {
    call.raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    call.cut();
  });
  const gateway = await startAlerted({ to: [{ webhook: breaking.origin, on: ['gateway.started'] }] }, upstream);
  const settled = async (): Promise<boolean> => {
    const [receiver] = (await readyz(gateway)).alerts;
    return receiver?.delivered === 1 || receiver?.failing !== undefined;
  };
  await expect.poll(settled, patience).toBe(true);
  expect((await readyz(gateway)).alerts).toMatchObject([{ delivered: 1, retries: 0 }]);
  expect(breaking.requests).toHaveLength(1);
});

describe('gw alerts test', () => {
  const run = async (alerts: object, argv: readonly string[] = [], values: Readonly<Record<string, string>> = {}) => {
    const folder = temporaryFolder();
    writeFolder({ 'gateway.json': { alerts, trusted_hosts: ['127.0.0.1'] } }, folder);
    for (const [name, value] of Object.entries({ ...env, ...values })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    return runGw(folder, ['alerts', 'test', ...argv]);
  };

  it('sends a test message to each receiver as the gateway would, and prints no secret', async () => {
    const webhook = await started();
    const pagerduty = await started((call) => call.json({}, { status: 202 }));
    const slack = await started((call) => call.answer({ status: 404, body: 'no_service' }));
    const to = [
      { webhook: webhook.origin, secret: '${env:ALERTS_SECRET}', on: ['store.unavailable'] },
      { pagerduty: '${env:PAGERDUTY_ROUTING_KEY}', url: pagerduty.origin },
      { slack: '${env:SLACK_WEBHOOK_URL}' },
      { webhook: '${env:UNSET_WEBHOOK}' },
    ];
    const { code, out } = await run({ to }, [], { SLACK_WEBHOOK_URL: `${slack.origin}/services/slack-secret` });
    expect(out.split('\n')).toEqual([
      '1  webhook    delivered  It answered 200.',
      '2  pagerduty  delivered  It answered 202.',
      '3  slack      FAILED  It answered 404.',
      '4  webhook    FAILED  ${env:UNSET_WEBHOOK} is not set.',
      '',
    ]);
    expect(code).toBe(1);
    expect(states(webhook)).toEqual(['alerts.test once']);
    expect(pagerduty.requests.map((request) => request.json().event_action)).toEqual(['trigger', 'resolve']);
  });

  it('sends it to one receiver, or to those of one kind', async () => {
    const webhook = await started();
    const to = [{ webhook: `${webhook.origin}/a` }, { webhook: `${webhook.origin}/b` }];
    expect((await run({ to }, ['--to', '2'])).code).toBe(0);
    expect(webhook.requests.map((request) => request.path)).toEqual(['/b']);
    expect((await run({ to }, ['--to', 'webhook'])).code).toBe(0);
    expect(webhook.requests).toHaveLength(3);
    expect(await run({ to }, ['--to', 'slack'])).toMatchObject({ code: 2, err: expect.stringContaining('"slack"') });
  });

  it('reports that a receiver cannot be reached', async () => {
    const { code, out } = await run({ to: [{ webhook: 'http://127.0.0.1:9/secret-path' }] });
    expect(code).toBe(1);
    expect(out).toMatch(/^1 {2}webhook {4}FAILED /);
    expect(out).not.toContain('secret-path');
  });
});

describe('a gateway file with invalid alerts', () => {
  const check = async (alerts: object): Promise<string> => {
    const folder = temporaryFolder();
    writeFolder({ 'gateway.json': { configs: 'configs', alerts }, 'configs/main.json': { provider: 'echo' } }, folder);
    return (await runGw(folder, ['check', 'configs', '--config', 'gateway.json'])).out;
  };

  it.each([
    [{ to: [] }, /\[empty-list\].*"to" is empty/s],
    [{ to: [{}] }, /\[wrong-receiver\].*none of.*gateway\.json:\d+:\d+/s],
    [{ to: [{ webhook: 'https://a.test', slack: '${env:S}' }] }, /"slack" beside "webhook".*gateway\.json:7:9/s],
    [{ to: [{ slack: '${env:S}', secret: '${env:S}' }] }, /"secret" is for receivers with "webhook"/],
    [{ to: [{ webhook: 'https://a.test', url: 'https://b.test' }] }, /"url" is for receivers with "pagerduty"/],
    [{ to: [{ slack: 'https://hooks.slack.com/services/T/B/x' }] }, /gateway\.json:6:18/],
    [{ to: [{ webhook: 'https://a.test', on: ['limit.exausted'] }] }, /limit\.exhausted/],
    [{ to: [{ webhook: 'https://a.test', on: [] }] }, /"on" is empty/],
    [{ to: [{ webhook: 'https://a.test' }], errors: { percent: 0 } }, /gateway\.json:\d+:\d+/],
  ])('is rejected for %j, with the place of the mistake', async (alerts, expected) => {
    expect(await check(alerts)).toMatch(expected);
  });

  it.each([
    [{ webhook: 'https://a.test', secret: '${env:UNSET_SECRET}' }, /"alerts\.to\[0\]\.secret".*\$\{env:UNSET_SECRET\}/],
    [{ webhook: 'https://a.test', secret: '${env:WRONG}' }, /"alerts\.to\[0\]\.secret".*cannot be used/],
    [{ slack: '${env:WRONG}' }, /"alerts\.to\[0\]\.slack".*is not a URL/],
  ])('stops the start for %j, and shows no value', async (receiver, expected) => {
    const failed = await startGateway({
      files: { 'gateway.json': { alerts: { to: [receiver] } } },
      env: { WRONG: 'wrong-value' },
    }).then(
      () => 'It has started.',
      (error: Error) => error.message,
    );
    expect(failed).toMatch(expected);
    expect(failed).not.toContain('wrong-value');
  });
});

describe('alerts of several workers', () => {
  it('include the circuit that their last requests opened together, if the workers end while the owner is stopped', async () => {
    const release = Promise.withResolvers<void>();
    let asked = 0;
    const upstream = await started(async (call) => {
      asked += 1;
      await release.promise;
      call.json({ error: { message: 'It fails.' } }, { status: 503 });
    });
    const webhook = await started();
    const on = ['circuit.open', 'gateway.stopped'];
    const gateway = await startAlerted(
      { to: [{ webhook: webhook.origin, secret: '${env:ALERTS_SECRET}', on }] },
      upstream,
      { args: ['--workers', '3'] },
    );
    const last = Array.from({ length: 3 }, () => ask(gateway));
    await vi.waitFor(() => expect(asked).toBe(3), patience);
    gateway.signal('SIGTERM');
    // Each worker has stopped listening.
    await expect.poll(() => fetch(gateway.origin).catch(() => undefined), patience).toBeUndefined();
    gateway.signal('SIGSTOP');
    try {
      release.resolve();
      await Promise.all(last);
    } finally {
      gateway.signal('SIGCONT');
    }
    expect(await gateway.exited).toBe(0);
    expect(states(webhook)).toEqual(['circuit.open open', 'gateway.stopped once']);
  });
});
