import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const savedKey = 'hf-key-of-the-operator';
const aws = { id: 'AKIDFORTESTS', secret: 'aws-secret-for-tests' };

let gateway: GatewayProcess;
let upstream: TestUpstream;
let elsewhere: TestUpstream;

beforeAll(async () => {
  const answer = openaiAnswer({ text: 'hello' });
  [upstream, elsewhere] = await Promise.all([
    startUpstream((call) => call.json({ ...answer, image: 'AA==' })),
    startUpstream((call) => call.json(answer)),
  ]);
  gateway = await startGateway({
    files: {
      'gateway.json': {
        providers: {
          endpoint: {
            provider: 'huggingface',
            credential: { api_key: '${env:HF_KEY}' },
            settings: { huggingface_base_url: `${upstream.origin}/` },
          },
        },
      },
    },
    env: { HF_KEY: savedKey },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([upstream.close(), elsewhere.close()]);
});
// No test here sends a request to that server.
afterEach(() => expect(elsewhere.accepted).toBe(0));

const last = (): ReceivedRequest => upstream.requests.at(-1) ?? expect.unreachable();
const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

const post = (path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the headers x-gw-amzn-sagemaker-…', () => {
  const given: Readonly<Record<string, string>> = {
    'custom-attributes': 'c000b4f9-df62-4c85-a0bf-7c525f9104a4  two',
    'target-model': 'model-a.tar.gz',
    'target-variant': 'variant-2',
    'target-container-hostname': 'second',
    'inference-id': 'call-1',
    'enable-explanations': '`true`',
    'inference-component': 'llama-8b',
    'session-id': 'NEW_SESSION',
  };
  const byRequest = (): Record<string, string> => ({
    'x-gw-provider': 'sagemaker',
    'x-gw-custom-host': upstream.origin,
    'x-gw-cloudc-access-key-id': aws.id,
    'x-gw-cloudc-secret-access-key': aws.secret,
    'x-gw-cloudc-region': 'eu-west-1',
  });
  const settings = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`x-gw-amzn-sagemaker-${name}`, value]),
  );

  it('become signed headers of the call', async () => {
    const answer = await post('/endpoints/llms/invocations', { inputs: 'hi' }, { ...byRequest(), ...settings });
    expect(answer.status).toBe(200);
    const request = last();
    for (const [name, value] of Object.entries(given)) {
      expect(request.header(`x-amzn-sagemaker-${name}`), name).toBe(value);
      expect(request.header('authorization')).toMatch(new RegExp(`SignedHeaders=[^,]*;x-amzn-sagemaker-${name}[;,]`));
    }
    expect(request.head).not.toContain('x-gw-');
    expect(
      awsRefusal(
        { method: 'POST', target: request.path, header: (name) => request.header(name), body: request.body },
        { secrets: { [aws.id]: aws.secret }, service: 'sagemaker', region: 'eu-west-1', now: Date.now() },
      ),
    ).toBeUndefined();
  });

  it('replace headers of the same name that a client sends', async () => {
    const own = { 'X-Amzn-SageMaker-Target-Variant': 'another', 'X-Amzn-SageMaker-Session-Id': 'mine' };
    const one = { 'x-gw-amzn-sagemaker-target-variant': 'variant-2' };
    await post('/endpoints/llms/invocations', { inputs: 'hi' }, { ...byRequest(), ...own, ...one });
    expect(last().head.match(/x-amzn-sagemaker-target-variant: .*/gi)).toHaveLength(1);
    expect(last().header('x-amzn-sagemaker-target-variant')).toBe('variant-2');
    expect(last().header('x-amzn-sagemaker-session-id')).toBe('mine');
  });

  it('have no effect on another provider', async () => {
    const openai = {
      'x-gw-provider': 'openai',
      authorization: 'Bearer k',
      'x-gw-custom-host': `${upstream.origin}/v1`,
    };
    expect((await post('/chat/completions', chat, { ...openai, ...settings })).status).toBe(200);
    expect(last().head.toLowerCase()).not.toContain('sagemaker');
  });
});

describe('the headers x-gw-stability-client-…', () => {
  const byRequest = (): Record<string, string> => ({
    'x-gw-provider': 'stability-ai',
    'x-gw-custom-host': upstream.origin,
    authorization: 'Bearer k',
  });

  it('identify the caller to Stability', async () => {
    const said = { 'client-id': 'my-app', 'client-user-id': 'user-1', 'client-version': '1.2.1' };
    const headers = Object.fromEntries(Object.entries(said).map(([name, value]) => [`x-gw-stability-${name}`, value]));
    await post('/images/generations', { model: 'sd3.5-large', prompt: 'a cat' }, { ...byRequest(), ...headers });
    expect(last().path).toBe('/v2beta/stable-image/generate/sd3');
    for (const [name, value] of Object.entries(said)) expect(last().header(`stability-${name}`), name).toBe(value);
  });

  it('may have at most 256 characters', async () => {
    const before = upstream.requests.length;
    const long = { 'x-gw-stability-client-id': 'a'.repeat(257) };
    const answer = await post('/images/generations', { model: 'core', prompt: 'a' }, { ...byRequest(), ...long });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('stability_client_id')]);
    expect(upstream.requests).toHaveLength(before);
  });
});

describe('the header x-gw-huggingface-base-url', () => {
  const byRequest = (url: string): Record<string, string> => ({
    'x-gw-provider': 'huggingface',
    'x-gw-huggingface-base-url': url,
    authorization: 'Bearer hf-key-of-the-caller',
  });

  it.each(['', '/', '/v1', '/v1/'])("sets the address of the caller's endpoint: …%s", async (end) => {
    const answer = await post('/chat/completions', chat, byRequest(upstream.origin + end));
    expect(answer.status).toBe(200);
    expect([last().path, last().header('authorization')]).toEqual([
      '/v1/chat/completions',
      'Bearer hf-key-of-the-caller',
    ]);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://10.0.0.1:8080',
    'https://metadata.google.internal',
    'http://[::ffff:10.0.0.1]/',
    'http://0xa.1/',
    'http://router.internal',
  ])('cannot name a host that callers may not use: %s', async (url) => {
    const answer = await post('/chat/completions', chat, byRequest(url));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('host-not-allowed')]);
  });

  it.each(['evil', 'file:///etc/passwd', 'https://u:p@a.example', 'https://a.example/?b=c', 'https://a.example/#c'])(
    'must be a valid URL: %s',
    async (url) => {
      const answer = await post('/chat/completions', chat, byRequest(url));
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('huggingface_base_url')]);
    },
  );

  it('cannot redirect a credential that the request did not bring', async () => {
    const { origin } = elsewhere;
    const { authorization: _, ...unkeyed } = byRequest(origin);
    for (const headers of [
      { ...unkeyed, 'x-gw-provider': '@endpoint' },
      { ...unkeyed, 'x-gw-config': '{"provider":"@endpoint"}' },
    ]) {
      expect((await post('/chat/completions', chat, headers)).status).toBe(200);
      expect(last().header('authorization')).toBe(`Bearer ${savedKey}`);
    }
    expect((await post('/chat/completions', chat, unkeyed)).status).toBe(401);
    const openai = { ...byRequest(origin), 'x-gw-provider': 'openai', 'x-gw-custom-host': `${upstream.origin}/v1` };
    expect((await post('/chat/completions', chat, openai)).status).toBe(200);
  });
});
