import { describe, expect, it } from 'vitest';
import { headerTable } from '../../../../runtime/http/headers/header-table.ts';
import { callerHeaderReader } from '../../../../runtime/http/headers/read-caller-headers.ts';
import { credentialHeaders } from '../../../../schema/credentials/credential-headers.ts';

const readCallerHeaders = callerHeaderReader(['x-api-key', 'X-Goog-Api-Key', 'x-acme-key', 'host']);

const singleHeaders = [
  ...headerTable.filter(({ repeated }) => repeated === 'refused').map(({ name }) => name),
  ...['x-api-key', 'x-goog-api-key', 'x-acme-key', 'api-key'],
];

const read = (headers: Record<string, string>) => readCallerHeaders(Object.entries(headers).flat());

describe('readCallerHeaders', () => {
  it('reads the gateway headers in any spelling', () => {
    const caller = read({
      'X-GW-Provider': 'openai',
      Authorization: 'Bearer sk-1',
      'x-Gw-CUSTOM-host': 'https://models.example/v1',
      'X-Gw-Trace-Id': 't-1',
      'x-gw-request-timeout': '2500',
      'x-gw-strict-llmv-compliance': 'false',
      'x-gw-virtual-key': 'vk',
      'x-gw-config': '{}',
      'x-gw-api-key': 'key',
    });
    expect(caller.overrides).toEqual({
      provider: 'openai',
      credential: 'sk-1',
      customHost: 'https://models.example/v1',
      timeoutMs: 2500,
      strict: false,
    });
    expect(caller).toMatchObject({ traceId: 't-1', virtualKey: 'vk', config: '{}', serviceKey: 'key' });
    expect(caller.problem).toBeUndefined();
  });

  it('removes a service key from the labels', () => {
    const key = `gw-${'0'.repeat(26)}-${'a'.repeat(52)}-${'b'.repeat(6)}`;
    const { metadata } = read({ 'x-gw-metadata': JSON.stringify({ tier: 'gold', key, text: `my key is ${key}.` }) });
    expect(metadata).toEqual({ tier: 'gold', key: 'gw-…', text: 'my key is gw-….' });
  });

  it.each(['9007199254740993', '-12345678901234567890', '1e400'])('rejects a label that would be rounded: %s', (id) => {
    expect(read({ 'x-gw-metadata': `{"user":${id}}` }).problem?.message).toContain('write that as a string');
    expect(read({ 'x-gw-metadata': `{"user":"${id}","n":9007199254740991}` }).problem).toBeUndefined();
  });

  it.each([
    ['false', false],
    ['False', false],
    ['TRUE', true],
  ])('reads the flag %s as %s', (text, debug) => {
    expect(read({ 'x-gw-debug': text }).overrides.debug).toBe(debug);
  });

  it('reads the provider credential from x-api-key, but prefers Authorization', () => {
    expect(read({ 'X-Api-Key': 'a' }).overrides.credential).toBe('a');
    expect(read({ 'x-api-key': 'a', authorization: 'bearer b' }).overrides.credential).toBe('b');
    expect(read({ authorization: 'bearer b', 'x-api-key': 'a' }).overrides.credential).toBe('b');
    expect(read({ authorization: 'Basic b' }).overrides.credential).toBeUndefined();
  });

  it("reads pairs of baggage as labels, which the gateway's own header overrides, in any order", () => {
    const baggage = 'team=search, tier = gold%20plus ;ttl=5,user=%C3%A9lan,empty=';
    const labels = { team: 'search', tier: 'gold plus', user: 'élan', empty: '' };
    expect(read({ baggage }).metadata).toEqual(labels);
    const merged = { ...labels, tier: 'silver', plan: 1 };
    expect(read({ baggage, 'x-gw-metadata': '{"tier":"silver","plan":1}' }).metadata).toEqual(merged);
    expect(read({ 'x-gw-metadata': '{"tier":"silver","plan":1}', baggage }).metadata).toEqual(merged);
    expect(readCallerHeaders(['baggage', 'a=1', 'Baggage', 'b=2']).metadata).toEqual({ a: '1', b: '2' });
  });

  it.each(['', ',', '=a', 'no pair', 'a b=c', 'a="b"', 'a=b c', 'ü=1'])('skips invalid baggage: %s', (baggage) => {
    const caller = read({ baggage });
    expect([caller.metadata, caller.problem]).toEqual([undefined, undefined]);
  });

  it('reads odd, numerous and secret pairs of baggage as harmless labels', () => {
    const key = `gw-${'0'.repeat(26)}-${'a'.repeat(52)}-${'b'.repeat(6)}`;
    expect(read({ baggage: `key=${key},text=my%20key%20is%20${key.replace('gw-', '%67w-')}.` }).metadata).toEqual({
      key: 'gw-…',
      text: 'my key is gw-….',
    });
    const { metadata = {} } = read({ baggage: '__proto__=1,constructor=2,bad=%ff' });
    expect(Object.entries(metadata)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['bad', '%ff'],
    ]);
    const many = Array.from({ length: 1000 }, (_, index) => `k${index}=v`).join();
    expect(Object.keys(read({ baggage: many }).metadata ?? {})).toHaveLength(64);
  });

  it('reads the credential from the first header with a value that a dialect declares', () => {
    expect(read({ 'x-goog-api-key': 'a', 'x-acme-key': 'b' }).overrides.credential).toBe('a');
    expect(read({ 'x-goog-api-key': '', 'X-ACME-Key': 'b' }).overrides.credential).toBe('b');
    expect(read({ 'x-other-key': 'a', 'api-key': 'b' }).overrides.credential).toBeUndefined();
  });

  it('keeps its own headers, whatever a dialect declares', () => {
    expect(read({ host: 'localhost' })).toMatchObject({ host: 'localhost', overrides: {}, removed: undefined });
  });

  it('lists the headers that no provider may receive', () => {
    expect(read({ 'x-api-key': 'a', 'x-goog-api-key': 'b', authorization: 'Bearer c' }).removed).toBeUndefined();
    expect(read({ 'X-Acme-Key': 'a' }).removed).toEqual(['x-acme-key']);
    const signed = read({
      Authorization: 'aws4-hmac-sha256 Credential=a',
      'X-Amz-Date': '1',
      'x-amz-content-sha256': '2',
    });
    expect(signed.removed).toEqual(['authorization', 'x-amz-date', 'x-amz-content-sha256']);
    expect(signed.overrides).toEqual({});
    expect(read({ authorization: 'AWS4-ECDSA-P256-SHA256 Credential=a' }).removed).toEqual(['authorization']);
  });

  it('reads forwarded header names from a comma list or a JSON array', () => {
    expect(read({ 'x-gw-forward-headers': 'X-One, x-two ,' }).overrides.forwardHeaders).toEqual(['X-One', 'x-two']);
    expect(read({ 'x-gw-forward-headers': '["X-One","x-two"]' }).overrides.forwardHeaders).toEqual(['X-One', 'x-two']);
  });

  it('says which numbers of milliseconds a header may have', () => {
    const { problem } = read({ 'x-gw-request-timeout': '1000000000' });
    expect(problem?.report.message).toContain('whole number of milliseconds, at most 999999999.');
  });

  it.each([
    ['x-gw-forward-headers', 'x-gw-forward-headers'],
    ['x-gw-forward-headers', '[1]'],
    ['x-gw-forward-headers', 'x-one, X-Amz-Security-Token'],
    ['x-gw-forward-headers', '["x"'],
    ['x-gw-request-timeout', 'soon'],
    ['x-gw-request-timeout', '-1'],
    ['x-gw-debug', 'no'],
    ['x-gw-usage', '1'],
    ['x-gw-cloudb-service-account-json', 'no json'],
  ])('reports %s with the text %s as a problem', (name, text) => {
    expect(read({ [name]: text }).problem?.report).toMatchObject({ code: 'invalid-header', status: 400 });
  });

  it('treats a time-out of 0 as none', () => {
    expect(read({ 'x-gw-request-timeout': '0' }).overrides).toEqual({});
  });

  it('collects the cloud headers as provider settings by config field', () => {
    const caller = read({
      'x-gw-clouda-resource-name': 'res',
      'x-gw-clouda-deployment-id': 'dep',
      'x-gw-clouda-api-version': 'v1',
      'x-gw-cloudb-service-account-json': '{"a":1}',
    });
    expect(caller.overrides.settings).toEqual({
      resource_name: 'res',
      deployment_id: 'dep',
      api_version: 'v1',
      cloudb_service_account_json: { a: 1 },
    });
  });

  it.each(singleHeaders)('reports a header with two values, and treats equal values as one: %s', (name) => {
    const [one, other] = name === 'authorization' ? ['Bearer a', 'Bearer b'] : ['1', '2'];
    const upper = name.toUpperCase();
    for (const lines of [
      [name, one, upper, other],
      [upper, '', 'x-between', '', name, one],
      [name, one, name, one, name, other],
    ])
      expect(readCallerHeaders(lines).ambiguity?.report, lines.join()).toMatchObject({
        code: 'invalid-header',
        status: 400,
        message: expect.stringContaining(`The header ${name} is not valid: it occurs more than once`),
      });
    expect(readCallerHeaders([name, one, upper, one]).ambiguity).toBeUndefined();
    expect(readCallerHeaders([name, one]).ambiguity).toBeUndefined();
  });

  it("ignores later values only of headers that are neither the gateway's own nor credentials", () => {
    const rest = headerTable.filter(({ repeated }) => repeated === 'first').map(({ name }) => name);
    expect(rest.filter((name) => name.startsWith('x-gw-') || credentialHeaders.has(name))).toEqual([]);
    expect(singleHeaders).toEqual(expect.arrayContaining([...credentialHeaders, 'x-gw-api-key', 'x-gw-workspace']));
  });

  it('joins the lines of list headers', () => {
    expect(
      readCallerHeaders([
        ...['x-gw-forward-headers', 'X-One', 'x-gw-sensitive-headers', 'A'],
        ...['X-Gw-Forward-Headers', '["x-two"]', 'x-gw-sensitive-headers', 'b, c'],
      ]),
    ).toMatchObject({
      ambiguity: undefined,
      overrides: { forwardHeaders: ['X-One', 'x-two'], sensitiveHeaders: ['a', 'b', 'c'] },
    });
  });

  it('has each header once in its table, in lower case', () => {
    const names = headerTable.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.map((name) => name.toLowerCase()));
  });
});
