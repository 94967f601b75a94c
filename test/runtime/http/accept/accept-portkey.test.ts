import { describe, expect, it } from 'vitest';
import { acceptPortkey } from '../../../../runtime/http/accept/accept-portkey.ts';
import type { CallerHeaders } from '../../../../runtime/http/headers/caller-headers.ts';
import { callerHeaderReader } from '../../../../runtime/http/headers/read-caller-headers.ts';
import { unservedHeaders } from '../../../../runtime/http/headers/reserved-headers.ts';
import { portkeyHeaders, portkeyPrefix } from '../../../../schema/portkey/headers.ts';

const read = callerHeaderReader([]);
const accepting = acceptPortkey().readHeaders(read, true);
const rows = [...portkeyHeaders];

const readRows = rows.flatMap(([name, header]) => ('as' in header ? [[portkeyPrefix + name, header.as] as const] : []));
const otherRows = rows.flatMap(([name, header]) => ('as' in header ? [] : [[portkeyPrefix + name, header] as const]));

/** Returns a valid value for the header with a name. */
const sampleText = (name: string): string => {
  if (name.endsWith('timeout')) return '7000';
  if (/refresh|debug|compliance|fim-completion/.test(name)) return 'true';
  return /metadata|account-json/.test(name) ? '{"a":"b"}' : 'some-text';
};

/** Returns what a request specifies, whichever headers specify it. */
const said = ({ accepted: _accepted, removed: _removed, ...caller }: CallerHeaders): object => caller;

describe("headers of Portkey's clients", () => {
  it('are in the table in both kinds, and each that is read has a header of its own', () => {
    expect(readRows.length).toBeGreaterThan(50);
    expect(otherRows.length).toBeGreaterThan(10);
    expect(new Set(readRows.map(([, ours]) => ours)).size).toBe(readRows.length);
  });

  it.each(readRows)("are read like the gateway's own: %s as %s", (name, ours) => {
    const text = sampleText(name);
    const expected = read([ours, text]);
    const given = accepting([name.toUpperCase(), text]);
    expect(given.problem === undefined).toBe(!unservedHeaders.has(ours));
    expect(said(given)).toEqual(said(expected));
    expect(given.accepted?.lines).toEqual([name.toUpperCase(), text, ours, text]);
    expect(accepting([name, '']).accepted?.lines).toEqual([name, '']);
  });

  it.each(otherRows)('are ignored, or rejected with an alternative: %s', (name, header) => {
    const { problem, accepted } = accepting([name, 'text']);
    expect(accepted?.lines).toEqual([name, 'text']);
    if ('instead' in header) expect(problem?.report.message).toContain(`${name} is not valid: it has no counterpart`);
    else expect(problem).toBeUndefined();
  });

  it('have no meaning unless they are accepted', () => {
    for (const [name] of rows)
      expect(said(read([portkeyPrefix + name, sampleText(name)])), name).toEqual(said(read([])));
  });

  it.each(readRows.filter(([, ours]) => ours.startsWith('x-gw-')))(
    "may be next to the gateway's own with the same value, but not with another one: %s",
    (name, ours) => {
      const text = sampleText(name);
      expect(accepting([ours, text, name, text]).ambiguity).toBeUndefined();
      const isList = /forward-headers|sensitive-headers/.test(name);
      // What only tracing reads is not part of what a request specifies.
      const isOfTrace = /span-(?:id|name)$/.test(name);
      const isRead = Object.entries(said(read([ours, text]))).some(
        ([, value]) => JSON.stringify(value) !== '{}' && value,
      );
      const { ambiguity } = accepting([ours, text, name, `${text}, other`]);
      if (isList || !(isRead || isOfTrace)) expect(ambiguity).toBeUndefined();
      else
        expect(ambiguity?.report.message).toContain(
          `${name} is not valid: ${ours} was also sent, with a different value.`,
        );
    },
  );

  it("are named in messages as the client sent them, like the gateway's own", () => {
    const { accepted } = accepting(['x-portkey-virtual-key', 'a', 'x-gw-virtual-key', 'b']);
    expect(accepted?.toTheirs('x-gw-virtual-key, x-gw-config')).toBe('x-gw-virtual-key, x-portkey-config');
  });

  it('that are unknown are rejected with the nearest name, unless unknown headers are ignored', () => {
    expect(accepting(['X-Portkey-Virtualkey', 'a']).problem?.report.message).toContain(
      'Did you mean x-portkey-virtual-key?',
    );
    expect(acceptPortkey().readHeaders(read, false)(['x-portkey-virtualkey', 'a']).problem).toBeUndefined();
  });

  it('do not affect headers under the name of the provider', () => {
    expect(accepting(['anthropic-beta', 'one', 'x-portkey-anthropic-beta', 'two']).accepted?.lines).toHaveLength(4);
  });

  it('can contain a key of this gateway, which is not forwarded', () => {
    expect(accepting(['x-portkey-api-key', 'key']).removed).toEqual(['x-portkey-api-key']);
  });
});

const configOf = (config: object | string): CallerHeaders =>
  accepting(['x-portkey-config', typeof config === 'string' ? config : JSON.stringify(config)]);

describe("configs of Portkey's clients", () => {
  it.each([
    ['a saved config', 'pc-prod-1a2b', 'pc-prod-1a2b'],
    [
      'camel case',
      { virtualKey: 'a', overrideParams: { maxTokens: 3 } },
      { virtual_key: 'a', override_params: { maxTokens: 3 } },
    ],
    ['a cache that is only a mode', { cache: 'simple' }, { cache: { mode: 'simple' } }],
    [
      'retries',
      { retry: { attempts: 2, onStatusCodes: [429], use_retry_after_header: true } },
      { retry: { attempts: 2, on_status_codes: [429], use_retry_after_headers: true } },
    ],
    ['modes', { strategy: { mode: 'load-balance' }, targets: [] }, { strategy: { mode: 'loadbalance' }, targets: [] }],
    [
      'settings in a strategy',
      { strategy: { mode: 'fallback', retry: { attempts: 1 } }, targets: [] },
      { strategy: { mode: 'fallback' }, targets: [], retry: { attempts: 1 } },
    ],
    [
      'targets without a strategy',
      { targets: [{ provider: '@a' }] },
      { strategy: { mode: 'single' }, targets: [{ provider: '@a' }] },
    ],
    [
      'a cloud',
      { provider: 'bedrock', aws_region: 'x', awsAccessKeyId: 'k' },
      { provider: 'bedrock', cloudc_region: 'x', cloudc_access_key_id: 'k' },
    ],
    [
      'a service account',
      { vertexServiceAccountJson: { privateKey: 'k' } },
      { cloudb_service_account_json: { privateKey: 'k' } },
    ],
    ['a prompt', { prompt_id: 'pp-1' }, { prompt_id: 'pp-1' }],
    ['a target with passthrough off', { passthrough: false, provider: '@a' }, { provider: '@a' }],
    [
      'hooks',
      {
        before_request_hooks: [
          {
            id: 'a',
            sequential: false,
            deny: true,
            checks: [
              { id: 'default.contains', is_enabled: true, parameters: { operator: 'none' } },
              { id: 'x', is_enabled: false },
            ],
          },
        ],
      },
      {
        before_request_hooks: [
          { id: 'a', on_fail: { deny: true }, checks: [{ id: 'default.contains', parameters: { operator: 'none' } }] },
        ],
      },
    ],
    [
      'hooks without an id, and a check of a guardrail by its name without a dot',
      {
        beforeRequestHooks: [{ checks: [{ id: 'default.contains' }] }],
        after_request_hooks: [{ id: 'hook-1', checks: [] }],
        outputGuardrails: [{ wordCount: { minWords: 1 } }],
      },
      {
        before_request_hooks: [{ id: 'hook-2', checks: [{ id: 'default.contains', parameters: {} }] }],
        after_request_hooks: [{ id: 'hook-1', checks: [] }],
        output_guardrails: [{ wordCount: { minWords: 1 } }],
      },
    ],
    [
      'guardrails',
      {
        input_guardrails: [
          'pg-1',
          { 'default.contains': { operator: 'none', is_enabled: true }, 'default.other': { is_enabled: false } },
        ],
      },
      { input_guardrails: ['pg-1', { 'default.contains': { operator: 'none' } }] },
    ],
  ])('are read by the names that their members have there: %s', (_, config, ours) => {
    const { config: made = '', problem } = configOf(config);
    expect(problem).toBeUndefined();
    expect(typeof ours === 'string' ? made : JSON.parse(made)).toEqual(ours);
  });

  it.each([
    ['a target with passthrough on', { targets: [{ passthrough: true }] }, 'config.targets[0].passthrough'],
    [
      'a percentage',
      { cb_config: { failure_threshold_percentage: 20, minimum_requests: 10 } },
      '"failure_threshold": 2',
    ],
    ['one member under two names', { virtual_key: 'a', virtualKey: 'b' }, '"virtual_key" is there twice'],
  ])('are rejected if a part of them would be lost: %s', (_, config, reason) => {
    expect(configOf(config).problem?.report.message).toContain('The header x-portkey-config is not valid: ');
    expect(configOf(config).problem?.report.message).toContain(reason);
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":',
    '[1]',
    '"pc-1"',
    '{"virtualKey":{"__proto__":1}}'.slice(0, 14),
    '['.repeat(30_000),
    '{"a":'.repeat(5000),
  ])('are left to the compiler if they are not configs at all: %.20s', (text) => {
    const { config, problem } = configOf(text);
    expect([config, problem]).toEqual([text, undefined]);
  });

  it('keep non-ASCII bytes, and names that all objects have', () => {
    const wire = Buffer.from('{"overrideParams":{"user":"Zoë","__proto__":{"a":1}}}').toString('latin1');
    const made = Buffer.from(configOf(wire).config ?? '', 'latin1').toString();
    expect(made).toBe('{"override_params":{"user":"Zoë","__proto__":{"a":1}}}');
  });

  it('are rejected with a short message, however long their names are', () => {
    const long = 'a'.repeat(20_000);
    for (const config of [{ [long]: { passthrough: true } }, { [`${long}B`]: 1, [`${long}_b`]: 2 }]) {
      const { problem } = configOf(config);
      expect(problem?.report.message.length).toBeLessThan(600);
    }
  });

  it('may be as deep and as wide as a header allows', () => {
    const deep = `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`;
    expect(configOf(deep).config).toBe(deep);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`member${at}`, at]));
    expect(JSON.parse(configOf(wide).config ?? '')).toEqual(wide);
  });

  it('are rejected again when they are sent again', () => {
    for (let at = 0; at < 3; at += 1) expect(configOf({ targets: [{ passthrough: true }] }).problem).toBeDefined();
  });
});
