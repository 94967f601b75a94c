import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { headerValue } from '../../../plugins/sdk/http/http.ts';
import { callerHeaderReader } from '../../../runtime/http/headers/read-caller-headers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

type Lines = Readonly<Record<string, string>>;

/** Returns what the gateway sends for these headers, with a plan that names the provider or leaves it to the request. */
const sentBy = async (config: JsonObject, headers: Lines) => {
  const { overrides, problem } = callerHeaderReader([])(Object.entries(headers).flat());
  expect(problem).toBeUndefined();
  const { handle, upstreams } = runConfig(config, {
    upstream: () => stubAnswer({}),
    trust: config === ofTheRequest ? 'caller' : 'operator',
  });
  const response = await handle(
    sampleExchange(
      { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
      {
        overrides,
        route: { operation: 'opaque' },
        request: {
          method: 'POST',
          path: '/anything',
          headers: ['content-type', 'application/json'],
          body: { kind: 'bytes', bytes: Buffer.from('{"a":1}') },
        },
      },
    ),
  );
  return { response, opened: upstreams.opened, last: upstreams.requests.at(-1) };
};

/** A plan that leaves the choice of provider to the request. */
const ofTheRequest: JsonObject = { retry: { attempts: 0 } };

const bearer = { authorization: 'Bearer sk-of-the-caller' };

describe('the account that a request names in headers', () => {
  it.each<readonly [string, Lines, string]>([
    [
      'workers-ai',
      { 'x-gw-workers-ai-account-id': 'acme' },
      'https://api.cloudflare.com/client/v4/accounts/acme/ai/anything',
    ],
    [
      'cortex',
      { 'x-gw-snowflake-account': 'acme_main' },
      'https://acme-main.snowflakecomputing.com/api/v2/cortex/v1/anything',
    ],
    [
      'oracle',
      { 'x-gw-oracle-region': 'eu-frankfurt-1' },
      'https://inference.generativeai.eu-frankfurt-1.oci.oraclecloud.com/openai/v1/anything',
    ],
  ])(
    "selects the %s host that gets the caller's own credential, and the host counts as the caller's",
    async (provider, account, url) => {
      const { opened, last } = await sentBy(ofTheRequest, { 'x-gw-provider': provider, ...bearer, ...account });
      expect(last && last.origin + last.path).toBe(url);
      expect(headerValue(last?.headers ?? [], 'authorization')).toBe('Bearer sk-of-the-caller');
      expect(opened.at(-1)?.operatorHost).toBe(false);
    },
  );

  it.each<readonly [string, Lines]>([
    ['workers-ai', { 'x-gw-workers-ai-account-id': '../../zones' }],
    ['cortex', { 'x-gw-snowflake-account': 'evil.example/' }],
    ['oracle', { 'x-gw-oracle-region': 'evil.example#' }],
  ])('is rejected for %s if it would change the path or the host', async (provider, account) => {
    const { response, last } = await sentBy(ofTheRequest, { 'x-gw-provider': provider, ...bearer, ...account });
    expect(response.status).toBe(400);
    expect(last).toBeUndefined();
  });

  it("does not send the operator's credential to another account", async () => {
    const config = { provider: 'openai', api_key: '${env:KEY}' };
    const others = {
      'x-gw-workers-ai-account-id': 'evil',
      'x-gw-snowflake-account': 'evil',
      'x-gw-oracle-region': 'evil',
      'x-gw-oracle-compartment-id': 'evil',
      'x-gw-fireworks-account-id': 'evil',
    };
    const { last } = await sentBy(config, others);
    expect(last?.origin).toBe('https://api.openai.com');
    expect(JSON.stringify(last?.headers)).not.toContain('evil');
  });
});

it('signs a request to Oracle with a key whose line breaks are escaped as in JSON', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { last } = await sentBy(ofTheRequest, {
    'x-gw-provider': 'oracle',
    'x-gw-oracle-region': 'eu-frankfurt-1',
    'x-gw-oracle-tenancy': 'ocid1.tenancy',
    'x-gw-oracle-user': 'ocid1.user',
    'x-gw-oracle-fingerprint': 'aa:bb',
    'x-gw-oracle-private-key': pem.replaceAll('\n', String.raw`\n`),
    'x-gw-oracle-compartment-id': 'ocid1.compartment',
  });
  expect(headerValue(last?.headers ?? [], 'authorization')).toContain('keyId="ocid1.tenancy/ocid1.user/aa:bb"');
  expect(headerValue(last?.headers ?? [], 'compartmentid')).toBe('ocid1.compartment');
});
