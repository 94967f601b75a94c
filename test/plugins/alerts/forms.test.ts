import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { FormContext } from '../../../plugins/alerts/forms/form.ts';
import { toForm } from '../../../plugins/alerts/forms/to-form.ts';
import type { Alert } from '../../../plugins/alerts/messages/alert.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { sampleAlert } from './support/sample-alert.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const values: Readonly<Record<string, string>> = {
  '${env:SECRET}': secret,
  '${env:SLACK}': 'https://hooks.slack.test/services/T/B/x',
  '${env:KEY}': 'R0UT1NGKEY',
};
const context = (): FormContext => ({ read: (text) => values[text] ?? text, source: 'gw-1', now: Date.now() });

const webhook = toForm({ webhook: 'https://ops.test/hook', secret: '${env:SECRET}' });
const slack = toForm({ slack: '${env:SLACK}' });
const pagerduty = toForm({ pagerduty: '${env:KEY}' });

const alerts: fc.Arbitrary<Alert> = fc
  .record({
    state: fc.constantFrom('open' as const, 'resolved' as const, 'once' as const),
    key: fc.string({ maxLength: 600 }),
    title: fc.string({ unit: 'binary', maxLength: 5000 }),
    action: fc.string({ unit: 'binary', maxLength: 3000 }),
    count: fc.nat(),
    samples: fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 10 }),
    workspace: fc.string({ maxLength: 400 }),
  })
  .map(sampleAlert);

describe('a webhook', () => {
  it('is verified by its receiver and has the same id each time it is sent', () => {
    fc.assert(
      fc.property(alerts, (alert) => {
        const { url, headers, body } = webhook.write(alert, context());
        expect(url).toBe('https://ops.test/hook');
        expect(new Webhook(secret).verify(body, headers)).toMatchObject({
          type: alert.kind,
          data: { version: 1, id: alert.id, state: alert.state, count: alert.count },
        });
        expect(headers['webhook-id']).toBe(webhook.write(alert, context()).headers['webhook-id']);
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
      }),
      lawRuns,
    );
  });

  it('contains every member of an alert', () => {
    expect(JSON.parse(webhook.write(sampleAlert(), context()).body)).toEqual({
      type: 'circuit.open',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: {
        version: 1,
        id: 'msg_1',
        key: 'circuit.open gw-1 team main first',
        state: 'open',
        severity: 'error',
        title: 'The circuit of target "first" in config "main" is open.',
        action: 'Look at what its provider answers.',
        source: 'gw-1',
        organisation: 'org-1',
        workspace: 'ws-1',
        count: 1,
        samples: [],
        details: { config: 'main', target: 'first' },
      },
    });
  });

  it('has no signature without a secret', () => {
    const { headers } = toForm({ webhook: 'https://ops.test' }).write(sampleAlert(), context());
    expect(Object.keys(headers).toSorted()).toEqual(['content-type', 'webhook-id', 'webhook-timestamp']);
  });
});

describe('a message for Slack', () => {
  it("respects Slack's limits and contains nothing that Slack reads as a mention or link", () => {
    fc.assert(
      fc.property(alerts, (alert) => {
        const message = JSON.parse(slack.write(alert, context()).body);
        const texts = [message.text, message.blocks[0].text.text, message.blocks[1].elements[0].text];
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(3000);
          expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
        }
        expect(message.blocks).toHaveLength(2);
      }),
      lawRuns,
    );
  });

  it('escapes characters with a special meaning in Slack', () => {
    const { url, body } = slack.write(sampleAlert({ title: '<!channel> & <https://x|y>' }), context());
    expect(url).toBe(values['${env:SLACK}']);
    expect(JSON.parse(body).text).toBe('&lt;!channel&gt; &amp; &lt;https://x|y&gt;');
  });
});

describe('an event for PagerDuty', () => {
  it("opens and resolves an incident with one key, within PagerDuty's limits", () => {
    fc.assert(
      fc.property(alerts, (alert) => {
        const written = (state: Alert['state']) => JSON.parse(pagerduty.write({ ...alert, state }, context()).body);
        const [open, resolved] = [written('open'), written('resolved')];
        expect(open).toMatchObject({
          routing_key: 'R0UT1NGKEY',
          event_action: 'trigger',
          dedup_key: resolved.dedup_key,
        });
        expect(Object.keys(resolved).toSorted()).toEqual(['dedup_key', 'event_action', 'routing_key']);
        expect(resolved.event_action).toBe('resolve');
        expect(open.dedup_key.length).toBeLessThanOrEqual(255);
        expect(open.payload.summary.length).toBeLessThanOrEqual(1024);
        expect(open.payload).toMatchObject({ source: 'gw-1', severity: 'error', class: 'circuit.open' });
      }),
      lawRuns,
    );
  });

  it('is sent to the URL in the gateway file', () => {
    expect(pagerduty.write(sampleAlert(), context()).url).toBe('https://events.pagerduty.com/v2/enqueue');
    const european = toForm({ pagerduty: '${env:KEY}', url: 'https://events.eu.pagerduty.com/v2/enqueue' });
    expect(european.write(sampleAlert(), context()).url).toBe('https://events.eu.pagerduty.com/v2/enqueue');
  });
});
