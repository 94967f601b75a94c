import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import { verifyJwt } from '../../support/vendors/jwt-verifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  client_email: 'a@b',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  project_id: 'of-account',
};
const saved: Saved = {
  ...nothingSaved,
  virtualKeys: { 'team-a': { provider: 'openai', credential: { api_key: '${env:TEAM_A}' } } },
};

const keys = { cloudc_access_key_id: 'id', cloudc_secret_access_key: 'secret' };
const vertex = { provider: 'vertex-ai', cloudb_region: 'europe-west4' };
const serverless = {
  provider: 'azure-ai',
  clouda_deployment_name: 'llama',
  clouda_deployment_type: 'serverless',
  clouda_region: 'eastus',
  clouda_api_version: '2024-08-01',
};
const managed = { provider: 'azure-ai', clouda_endpoint_name: 'mine.eastus', clouda_deployment_type: 'managed' };

const tokenService: StubHandler = ({ origin }) =>
  stubAnswer(origin === 'https://oauth2.googleapis.com' ? { access_token: 'token', expires_in: 60 } : {});

/** Returns what is sent for a caller's config, with what the request adds to it. */
const sentBy = async (
  config: JsonObject,
  {
    path = '/model/m/converse',
    upstream = tokenService,
    ...overrides
  }: CallerOverrides & { path?: string; upstream?: StubHandler } = {},
) => {
  const { handle, secrets, upstreams } = runConfig(config, { upstream, saved, trust: 'caller' });
  const response = await handle(
    sampleExchange(
      { messages: [{ role: 'user', content: 'hi' }] },
      {
        secrets,
        overrides,
        // Passed through, so that no dialect is needed.
        route: { operation: 'opaque' },
        request: {
          method: 'POST',
          path,
          headers: ['content-type', 'application/json'],
          body: { kind: 'bytes', bytes: Buffer.from('{"a":1}') },
        },
      },
    ),
  );
  return { response, requests: upstreams.requests, opened: upstreams.opened, last: upstreams.requests.at(-1) };
};

const findBearer = (request: UpstreamRequest | undefined): string | undefined =>
  headerValue(request?.headers ?? [], 'authorization');

/** The specification's combinations that name a provider or a credential, by their number. */
const combinations: readonly (readonly [number, JsonObject])[] = [
  [1, { provider: 'openai', api_key: 'sk-literal-key' }],
  [2, { provider: 'openai', custom_host: 'https://models.example.com/v1' }],
  [3, { virtual_key: 'team-a' }],
  [10, { provider: 'bedrock', ...keys }],
  [11, { ...vertex, cloudb_service_account_json: account }],
  [12, { ...vertex, cloudb_project_id: 'of-config' }],
  [13, serverless],
  [14, managed],
];

describe('a valid combination', () => {
  it.each(combinations)('%i compiles without findings', (_, config) => {
    const options = { trust: 'caller', saved, catalogue: buildCatalogue(builtinPlugins) } as const;
    const { plan, diagnostics } = compile(JSON.stringify(config), options);
    expect(diagnostics).toEqual([]);
    expect(plan).toBeDefined();
  });

  it('10 is signed with its keys', async () => {
    const { last } = await sentBy({ provider: 'bedrock', ...keys, cloudc_region: 'eu-west-1' });
    expect(last?.origin).toBe('https://bedrock-runtime.eu-west-1.amazonaws.com');
    const verdict = awsRefusal(
      {
        method: 'POST',
        target: last?.path ?? '',
        header: (name) => (name === 'host' ? new URL(last?.origin ?? '').host : headerValue(last?.headers ?? [], name)),
        body: '{"a":1}',
      },
      { secrets: { id: 'secret' }, service: 'bedrock', region: 'eu-west-1', now: signedAt(last) },
    );
    expect(verdict).toBeUndefined();
  });

  it('10 is sent to the control plane for control-plane paths', async () => {
    const { last, opened } = await sentBy({ provider: 'bedrock', ...keys }, { path: '/foundation-models' });
    expect(opened.at(-1)?.origin).toBe('https://bedrock.us-east-1.amazonaws.com');
    expect(last?.origin).toBe('https://bedrock.us-east-1.amazonaws.com');
  });

  it('11 exchanges its account for a token', async () => {
    const { requests, last } = await sentBy({ ...vertex, cloudb_service_account_json: account });
    expect(requests.map(({ origin }) => origin)).toEqual([
      'https://oauth2.googleapis.com',
      'https://europe-west4-aiplatform.googleapis.com',
    ]);
    const [{ body } = last ?? expect.unreachable()] = requests;
    const form = new URLSearchParams(body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '');
    expect(verifyJwt(form.get('assertion') ?? '', publicKey)?.claims.iss).toBe('a@b');
    expect(findBearer(last)).toBe('Bearer token');
  });

  it.each([
    ['12', { ...vertex, cloudb_project_id: 'p' }, 'https://europe-west4-aiplatform.googleapis.com'],
    ['13', serverless, 'https://llama.eastus.models.ai.azure.com'],
    ['14', managed, 'https://mine.eastus.inference.ml.azure.com'],
  ])('%s uses the credential of the request', async (_, config, origin) => {
    const { last } = await sentBy(config, { credential: 'callers-token' });
    expect(last?.origin).toBe(origin);
    expect(findBearer(last)).toBe('Bearer callers-token');
    const { response, requests } = await sentBy(config);
    expect(response).toMatchObject({ status: 401, cause: 'missing-credential' });
    expect(requests).toEqual([]);
  });

  it.each([
    ['12', { ...vertex, cloudb_project_id: 'p', api_key: 'its-own-key' }],
    ['13', { ...serverless, api_key: 'its-own-key' }],
    ['14', { ...managed, api_key: 'its-own-key' }],
  ])("%s uses its own credential before the request's", async (_, config) => {
    const { last } = await sentBy(config, { credential: 'callers-token' });
    expect(findBearer(last)).toBe('Bearer its-own-key');
  });
});

const signedAt = (request: UpstreamRequest | undefined): number => {
  const stamp = headerValue(request?.headers ?? [], 'x-amz-date') ?? '';
  return Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
};

describe('a provider named by a header', () => {
  const byHeader = (overrides: CallerOverrides) => sentBy({ retry: { attempts: 1 } }, overrides);

  it('gets its credential from the headers of its cloud', async () => {
    const { last } = await byHeader({ provider: 'cloudc', settings: { ...keys, cloudc_session_token: 's' } });
    expect(findBearer(last)).toContain('Credential=id/');
    expect(headerValue(last?.headers ?? [], 'x-amz-security-token')).toBe('s');
  });

  it('can get a key file from headers too', async () => {
    const settings = { cloudb_region: 'global', cloudb_service_account_json: account };
    const { last } = await byHeader({ provider: 'cloudb', settings });
    expect(last?.origin).toBe('https://aiplatform.googleapis.com');
    expect(findBearer(last)).toBe('Bearer token');
  });

  it("cannot use the machine's identity", async () => {
    for (const mode of ['managed', 'workload']) {
      const settings = { resource_name: 'mine', clouda_auth_mode: mode };
      const { response, requests } = await byHeader({ provider: 'clouda', settings });
      expect(response.status).toBe(401);
      expect(requests).toEqual([]);
    }
  });
});

describe("a saved provider that uses the machine's identity", () => {
  const withIdentity: Saved = {
    ...nothingSaved,
    providers: {
      azure: { provider: 'azure-openai', settings: { resource_name: 'mine', clouda_auth_mode: 'managed' } },
    },
  };
  const upstream = () => stubAnswer({ access_token: 'machine-token', expires_in: '3599' });
  const question = sampleExchange({ model: 'gpt', messages: [{ role: 'user', content: 'hi' }] });

  it("needs no credential, and requests a token from the machine's service once", async () => {
    const { handle, upstreams } = runConfig({ provider: '@azure' }, { upstream, saved: withIdentity });
    await handle(question);
    await handle(question);
    expect(upstreams.identityRequests).toHaveLength(1);
    expect(upstreams.requests.map(findBearer)).toEqual(['Bearer machine-token', 'Bearer machine-token']);
    expect(upstreams.opened.map(({ origin }) => origin)).toEqual(['https://mine.openai.azure.com']);
  });

  it('does not use it for the config of a caller', async () => {
    const running = runConfig({ provider: '@azure' }, { upstream, saved: withIdentity, trust: 'caller' });
    expect(await running.handle(question)).toMatchObject({ status: 401, cause: 'authorization-failed' });
    expect([...running.upstreams.identityRequests, ...running.upstreams.requests]).toEqual([]);
  });

  it.each([
    ['a host', { customHost: 'https://theirs.example' }],
    ['headers to forward', { forwardHeaders: ['x-team'] }],
  ])('is not used if the request chooses %s, whoever wrote the config', async (_, overrides) => {
    for (const trust of ['operator', 'caller', 'saved'] as const) {
      const running = runConfig({ provider: '@azure' }, { upstream, saved: withIdentity, trust });
      const response = await running.handle({ ...question, overrides });
      expect(response, trust).toMatchObject({ status: 400, cause: 'credential-origin-mismatch' });
      expect([...running.upstreams.identityRequests, ...running.upstreams.requests]).toEqual([]);
    }
  });

  it("is rejected in a caller's config that leads it elsewhere", () => {
    const config = { provider: '@azure', resource_name: 'theirs' };
    const { diagnostics } = compile(JSON.stringify(config), {
      trust: 'caller',
      saved: withIdentity,
      catalogue: buildCatalogue(builtinPlugins),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['credential-origin-mismatch']);
  });
});

describe('a credential that a token service refuses', () => {
  it('results in a 401 of its target that reveals nothing of it', async () => {
    const upstream = () => stubAnswer({ error: 'invalid_grant', error_description: 'hush' }, { status: 400 });
    const { response, requests } = await sentBy({ ...vertex, cloudb_service_account_json: account }, { upstream });
    expect(response.status).toBe(401);
    expect(JSON.stringify(toJson(response))).toContain('oauth2.googleapis.com answered 400 (invalid_grant).');
    expect(JSON.stringify(toJson(response))).not.toMatch(/hush|PRIVATE/);
    expect(requests).toHaveLength(1);
  });

  it('is described in full although a key file contains the same words', async () => {
    // As Google writes it: https://docs.cloud.google.com/iam/docs/keys-create-delete
    const file = { ...account, type: 'service_account', token_uri: 'https://oauth2.googleapis.com/token' };
    const upstream = () => stubAnswer({ error: 'invalid_grant' }, { status: 400 });
    const reasonFor = async (json: JsonObject): Promise<string> =>
      JSON.stringify(toJson((await sentBy({ ...vertex, cloudb_service_account_json: json }, { upstream })).response));
    expect(await reasonFor(file)).toContain('authorised: oauth2.googleapis.com answered 400 (invalid_grant).');
    expect(await reasonFor({ ...file, private_key: 'hush-hush' })).toContain(
      'authorised: The private_key of the service account is not a key.',
    );
    const { client_email: _, ...incomplete } = file;
    expect(await reasonFor(incomplete)).toContain(
      'authorised: cloudb_service_account_json is not the key file of a service account.',
    );
  });
});
