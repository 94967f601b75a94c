import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/**
 * Attempts to hide what the provider reads under a name that is written with an escape. The engine misreads such a name after a
 * text that has, in the same place, a name with a backslash, because it takes one for the other.
 */
let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  gateway = await startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'] } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const settings = { custom_host: `${upstream.origin}/v1` };
  for (const [slug, models] of [
    ['few', [{ slug: 'allowed', enabled: true }]],
    ['all', undefined],
  ] as const) {
    await control(gateway, 'POST /integrations', {
      body: { name: slug, slug, provider: 'openai', key: 'sk', settings, ...(models && { models }) },
    });
    await control(gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
  }
  ({ key } = await makeKey(gateway, 'caller'));
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const judged = {
  provider: '@all',
  input_guardrails: [{ 'default.contains': { operator: 'none', words: ['forbidden'] }, deny: true }],
};

/** Sends a request. Returns its status, its error code, and how many requests the provider received. */
const send = async (body: string, headers: Readonly<Record<string, string>>) => {
  const before = upstream.requests.length;
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-api-key': key, 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    code: /(?<="code":")[a-z-]+/.exec(text)?.[0],
    sent: upstream.requests.length - before,
  };
};

const listed = { 'x-gw-provider': '@few' };
const checked = { 'x-gw-config': JSON.stringify(judged) };
const modelRefused = { status: 403, code: 'model-not-allowed', sent: 0 };
const wordsRefused = { status: 446, sent: 0 };

/** A name as a caller may write it, and the misleading text of the same length. */
const spellings = (name: string): readonly (readonly [written: string, misleading: string])[] => {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [0, 1, name.length - 1].map((at) => {
    const written = `${name.slice(0, at)}${escaped(name.charAt(at))}${name.slice(at + 1)}`;
    return [written, JSON.stringify(written.slice(0, name.length)).slice(1, -1)];
  });
};

const hello = '"messages":[{"role":"user","content":"Hello."}]';

interface Attempt {
  readonly name: string;
  readonly body: (name: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly refused: object;
}

const attempts: readonly Attempt[] = [
  { name: 'model', body: (name) => `{"${name}":"another",${hello}}`, headers: listed, refused: modelRefused },
  { name: 'model', body: (name) => `{${hello},"${name}":"another"}`, headers: listed, refused: modelRefused },
  {
    name: 'messages',
    body: (name) => `{"model":"m","${name}":[{"role":"user","content":"forbidden"}]}`,
    headers: checked,
    refused: wordsRefused,
  },
  {
    name: 'content',
    body: (name) => `{"model":"m","messages":[{"role":"user","${name}":"forbidden"}]}`,
    headers: checked,
    refused: wordsRefused,
  },
  {
    name: 'text',
    body: (name) => `{"model":"m","messages":[{"role":"user","content":[{"type":"text","${name}":"forbidden"}]}]}`,
    headers: checked,
    refused: wordsRefused,
  },
];

describe.each(attempts)(
  'forbidden content under an escaped name, after a misleading request: $name',
  ({ name, body, headers, refused }) => {
    it.each(spellings(name))('is refused if the name is written as %s', async (written, misleading) => {
      for (const at of [1, 2]) await send(body(misleading).replace('forbidden', `Hello ${at}.`), headers);
      expect(await send(body(written), headers)).toMatchObject(refused);
    });
  },
);

it("reads a caller's config as it is written, even after a misleading one", async () => {
  const withName = (name: string): string => JSON.stringify(judged).replace('input_guardrails', name);
  const body = `{"model":"m","messages":[{"role":"user","content":"forbidden"}]}`;
  for (const [written, misleading] of spellings('input_guardrails')) {
    await send(body, { 'x-gw-config': withName(misleading) });
    expect(await send(body, { 'x-gw-config': withName(written) })).toMatchObject(wordsRefused);
  }
});
