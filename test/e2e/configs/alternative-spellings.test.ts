import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const inFile = 'azure-key-of-the-file';
const literal = 'azure-key-of-the-config';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;

const place = (): object => ({
  provider: 'azure-openai',
  custom_host: `${upstream.origin}/openai`,
  clouda_deployment_id: 'prod-gpt',
  clouda_api_version: '2024-10-21',
});
const called = '/openai/deployments/prod-gpt/chat/completions?api-version=2024-10-21';

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  const whole = { ...place(), Authorization: `Bearer \${env:AZURE_KEY}` };
  const { clouda_deployment_id: _, ...withoutDeployment } = { ...whole } as Record<string, unknown>;
  gateway = await startGateway({
    files: {
      'gateway.json': { store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'], configs: 'configs' },
      'configs/whole.json': whole,
      'configs/bare.json': { ...place(), Authorization: `\${env:AZURE_KEY}` },
      'configs/nested.json': {
        strategy: { mode: 'fallback' },
        targets: [{ strategy: { mode: 'single' }, targets: [whole] }],
      },
      'configs/model.json': { ...withoutDeployment, clouda_model_name: 'mini' },
      'configs/undated-model.json': { ...withoutDeployment, clouda_api_version: 'v1', clouda_model_name: 'mini' },
      'configs/undated-deployment.json': { ...whole, clouda_api_version: 'v1' },
      'configs/undated-default.json': {
        ...withoutDeployment,
        deployments: [
          { deployment_id: 'small', alias: 'gpt-small', api_version: 'v1' },
          { deployment_id: 'large', alias: 'gpt-large', api_version: 'v1', is_default: true },
        ],
      },
    },
    env: {
      ...{ AZURE_KEY: inFile, GW_LOG: 'requests', GW_ADMIN_KEY: adminKey },
      GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
  });
  ({ key } = await makeKey(gateway, 'caller'));
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

let before = 0;
beforeEach(() => {
  before = upstream.requests.length;
});

/** Sends a request to an endpoint, and returns what its provider received. */
const send = async (path: string, body: object, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key, ...headers },
    body: JSON.stringify(body),
  });
  return { answer, request: upstream.requests[before] };
};

const messages = [{ role: 'user', content: 'hi' }];

const ask = async (config: string, model?: string) => {
  const body = { ...(model === undefined ? {} : { model }), messages };
  const { answer, request } = await send('/chat/completions', body, { 'x-gw-config': config });
  return { status: answer.status, text: await answer.text(), path: request?.path, key: request?.header('api-key') };
};

describe('second spellings of config members', () => {
  it.each(['whole', 'bare', 'nested'])('in a file call the deployment with the key: %s', async (name) => {
    expect(await ask(name, 'gpt-4o')).toMatchObject({ status: 200, path: called, key: inFile });
  });

  it('set the model of requests that name none', async () => {
    const path = '/openai/deployments/mini/chat/completions?api-version=2024-10-21';
    expect(await ask('model')).toMatchObject({ status: 200, path, key: inFile });
  });

  it.each([
    ['undated-model', 'mini'],
    ['undated-deployment', 'prod-gpt'],
    ['undated-default', 'large'],
  ])('set the model in the body if no path does: %s', async (config, model) => {
    const asked: readonly (readonly [string, object])[] = [
      ['/chat/completions', { messages }],
      ['/chat/completions', { messages, model: null }],
      ['/responses', { input: 'hi' }],
      ['/embeddings', { input: 'hi' }],
    ];
    for (const [path, body] of asked) {
      before = upstream.requests.length;
      const { request } = await send(path, body, { 'x-gw-config': config });
      expect(request?.path).toBe(`/openai/v1${path}`);
      expect(request?.json()).toEqual({ ...body, model });
    }
  });

  it('set the model by a header too, but not over the model of the body', async () => {
    const headers = {
      'x-gw-provider': 'azure-openai',
      'x-gw-custom-host': `${upstream.origin}/openai`,
      'x-gw-clouda-model-name': 'mini',
      authorization: 'Bearer own',
    };
    const { request } = await send('/chat/completions', { messages }, headers);
    expect(request?.json()).toEqual({ messages, model: 'mini' });
    before = upstream.requests.length;
    const { request: other } = await send('/chat/completions', { messages, model: 'gpt' }, headers);
    expect(other?.json()).toEqual({ messages, model: 'gpt' });
  });

  it.each([literal, `Bearer ${literal}`])(
    'in the config of a request call the deployment: %s',
    async (Authorization) => {
      const config = JSON.stringify({ ...place(), Authorization });
      expect(await ask(config, 'gpt-4o')).toMatchObject({ status: 200, path: called, key: literal });
    },
  );

  it('in a saved config call the deployment, and read back as a placeholder', async () => {
    const config = { ...place(), Authorization: `Bearer ${literal}` };
    const body = { name: 'saved', slug: 'saved-azure', config };
    await control(gateway, 'POST /configs', { body, workspace: 'default' });
    const read = await control(gateway, 'GET /configs/saved-azure', { workspace: 'default' });
    expect(JSON.stringify(read)).not.toContain(literal);
    expect(await ask('saved-azure', 'gpt-4o')).toMatchObject({ status: 200, path: called, key: literal });
  });

  it('with two values cause an error that shows neither', async () => {
    const answer = await ask(JSON.stringify({ ...place(), api_key: 'key-a', Authorization: 'Bearer key-b' }), 'm');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('conflicting-spellings');
    expect(answer.text).not.toMatch(/key-[ab]/);
    expect(upstream.requests.length).toBe(before);
  });

  it('cannot send a key of the gateway to a host of the caller', async () => {
    const config = JSON.stringify({ ...place(), Authorization: `Bearer \${env:AZURE_KEY}` });
    const answer = await ask(config, 'm');
    expect(answer).toMatchObject({ status: 400, path: undefined });
    expect(answer.text).toContain('reference-not-allowed');
  });

  it('are explained and compiled without the key, which the gateway never prints', async () => {
    for (const command of [['explain'], ['check'], ['compile', '--out', 'plans']]) {
      const { code, out, err } = await runGw(gateway.folder, [...command, 'configs/whole.json']);
      expect(`${code} ${err}`).toMatch(/^0 /);
      expect(out + err).not.toContain(inFile);
    }
    expect(gateway.printed()).not.toMatch(new RegExp(`${inFile}|${literal}`));
  });
});
