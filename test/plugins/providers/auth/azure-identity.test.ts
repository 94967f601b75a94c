import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  authorizeWithEntra,
  azureHeaders,
  usesMachineIdentity,
} from '../../../../plugins/providers/auth/azure-identity.ts';
import { headerValue } from '../../../../plugins/sdk/http/http.ts';
import { type AuthorizeScript, aPost, authorizing, bodyText } from '../../../support/vendors/authorize.ts';

const scope = 'https://cognitiveservices.azure.com/.default';
const entra = {
  credential: { clouda_entra_client_secret: 'hush' },
  settings: { clouda_entra_tenant_id: 'acme.example', clouda_entra_client_id: 'client' },
};
const tokenService: AuthorizeScript['tokenService'] = () => ({ body: { access_token: 'token-1', expires_in: '3599' } });

const run = async (script: AuthorizeScript) => {
  const { context, sent } = authorizing({ tokenService, ...script });
  const { headers } = await authorizeWithEntra(aPost, context);
  const [request] = sent;
  return {
    bearer: headerValue(headers, 'authorization'),
    request,
    form: Object.fromEntries(new URLSearchParams(request === undefined ? '' : bodyText(request))),
  };
};

afterEach(() => vi.unstubAllEnvs());

describe('the headers for an Azure target', () => {
  const key = ['api-key', 'k'];

  it('carry the key, or a given token instead', () => {
    expect(azureHeaders({ api_key: 'k' }, {}, key)).toBe(key);
    expect(azureHeaders({ api_key: 'k', clouda_ad_token: 't' }, {}, key)).toEqual(['Authorization', 'Bearer t']);
    expect(azureHeaders({ clouda_ad_token: 'Bearer t' }, {}, key)).toEqual(['Authorization', 'Bearer t']);
  });

  it('carry no key if a token is requested', () => {
    expect(azureHeaders(entra.credential, entra.settings, key)).toEqual([]);
    expect(azureHeaders({ api_key: 'k' }, { clouda_auth_mode: 'managed' }, key)).toEqual([]);
  });
});

describe('client credentials', () => {
  it("are exchanged for a token at the tenant's Microsoft endpoint", async () => {
    const { bearer, request, form } = await run(entra);
    expect(bearer).toBe('Bearer token-1');
    expect(request).toMatchObject({
      method: 'POST',
      origin: 'https://login.microsoftonline.com',
      path: '/acme.example/oauth2/v2.0/token',
    });
    expect(form).toEqual({ grant_type: 'client_credentials', client_id: 'client', client_secret: 'hush', scope });
  });

  it('request the scope from the settings', async () => {
    const settings = { ...entra.settings, clouda_entra_scope: 'https://ai.azure.com/.default' };
    expect((await run({ ...entra, settings })).form.scope).toBe('https://ai.azure.com/.default');
  });

  it.each(['a/b', '../x', 'a?b', 'a#b', '.a', 'a b', ''])('are not sent to a tenant named %j', async (tenant) => {
    const settings = { ...entra.settings, clouda_entra_tenant_id: tenant };
    await expect(run({ ...entra, settings })).rejects.toThrow('clouda_entra_tenant_id');
  });

  it('require a client id and a secret', async () => {
    await expect(run({ ...entra, settings: { clouda_entra_tenant_id: 't' } })).rejects.toThrow(
      'clouda_entra_client_id is missing.',
    );
    const settings = { ...entra.settings, clouda_auth_mode: 'entra' };
    await expect(run({ settings })).rejects.toThrow('clouda_entra_client_secret is missing.');
  });

  it.each(['https://login.microsoftonline.us/', 'https://login.microsoftonline.us'])(
    'are sent to the authority host from the environment: %s',
    async (authority) => {
      vi.stubEnv('AZURE_AUTHORITY_HOST', authority);
      const { request } = await run(entra);
      expect(request).toMatchObject({
        origin: 'https://login.microsoftonline.us',
        path: '/acme.example/oauth2/v2.0/token',
      });
    },
  );

  it.each(['http://login.microsoftonline.us', 'login.microsoftonline.us', 'https://u:p@host', 'https://host/path'])(
    'are not sent to the invalid authority host %s',
    async (authority) => {
      vi.stubEnv('AZURE_AUTHORITY_HOST', authority);
      await expect(run(entra)).rejects.toThrow('AZURE_AUTHORITY_HOST must be the URL of a host');
    },
  );

  it.each(['temporarily_unavailable', 'server_error'])(
    'are not rejected for good if the service answers %s',
    async (error) => {
      await expect(run({ ...entra, tokenService: () => ({ status: 400, body: { error } }) })).rejects.toThrow(
        'failed for now',
      );
    },
  );

  it('are rejected with only the status and the error code in the message', async () => {
    const refusing = () => ({ status: 401, body: { error: 'invalid_client', error_description: 'hush' } });
    await expect(run({ ...entra, tokenService: refusing })).rejects.toThrow(
      /^login.microsoftonline.com answered 401 \(invalid_client\)\.$/,
    );
  });
});

describe("the machine's identity", () => {
  const managed = { settings: { clouda_auth_mode: 'managed' }, isOperators: true };
  const workload = { settings: { clouda_auth_mode: 'workload' }, isOperators: true };

  it("is available only to the operator's targets", async () => {
    for (const each of [managed, workload])
      await expect(run({ ...each, isOperators: false })).rejects.toThrow('Only targets of the operator');
  });

  it('is not refused for good while its service is updated, which answers 410', async () => {
    await expect(run({ ...managed, tokenService: () => ({ status: 410, body: '' }) })).rejects.toThrow(
      'failed for now',
    );
  });

  it('needs no credential', () => {
    expect([managed, workload, entra].map(({ settings }) => usesMachineIdentity(settings))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('gets its token from the metadata service in managed mode', async () => {
    const { bearer, request } = await run(managed);
    expect(bearer).toBe('Bearer token-1');
    expect(request).toMatchObject({
      method: 'GET',
      origin: 'http://169.254.169.254',
      path: '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fcognitiveservices.azure.com',
      headers: ['Metadata', 'true'],
    });
    const settings = { ...managed.settings, clouda_managed_client_id: 'c 1' };
    expect((await run({ ...managed, settings })).request?.path).toContain('&client_id=c+1');
  });

  it("presents the platform's federated token in workload mode", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gw-'));
    const file = path.join(folder, 'token');
    writeFileSync(file, 'a.b.c\n');
    vi.stubEnv('AZURE_FEDERATED_TOKEN_FILE', file);
    vi.stubEnv('AZURE_TENANT_ID', 'tenant');
    vi.stubEnv('AZURE_CLIENT_ID', 'client');
    const { bearer, request, form } = await run(workload);
    rmSync(folder, { recursive: true });
    expect(bearer).toBe('Bearer token-1');
    expect(request?.path).toBe('/tenant/oauth2/v2.0/token');
    expect(form).toMatchObject({ client_id: 'client', client_assertion: 'a.b.c', scope });
    await expect(run(workload)).rejects.toThrow('cannot be read');
    vi.stubEnv('AZURE_FEDERATED_TOKEN_FILE', undefined);
    await expect(run(workload)).rejects.toThrow('AZURE_FEDERATED_TOKEN_FILE is missing.');
  });
});

describe('a given key or token', () => {
  it('is used without calling a token service', async () => {
    for (const credential of [{ api_key: 'k' }, { clouda_ad_token: 't', clouda_entra_client_secret: 's' }])
      expect((await run({ credential })).request).toBeUndefined();
  });
});
