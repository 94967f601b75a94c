import { describe, expect, it } from 'vitest';
import { azureOpenai } from '../../../plugins/providers/azure-openai/azure-openai.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const address = (settings: JsonObject): string =>
  typeof azureOpenai.baseUrl === 'function' ? azureOpenai.baseUrl(settings) : expect.unreachable();

const chatPath = (settings: JsonObject, model: string | undefined = 'gpt'): string => {
  const endpoint = azureOpenai.speaks.chat;
  return typeof endpoint === 'function' ? endpoint({ settings, model, stream: false }) : expect.unreachable();
};

const completionsPath = (settings: JsonObject): string => {
  const endpoint = azureOpenai.speaks.completions;
  return typeof endpoint === 'function' ? endpoint({ settings, model: 'gpt', stream: true }) : expect.unreachable();
};

const deployments = [
  { deployment_id: 'small', alias: 'mini', api_version: '2024-06-01' },
  { deployment_id: 'large', alias: 'gpt', api_version: '2024-10-21', is_default: true },
];

describe('azure-openai', () => {
  it('derives its address from the resource name', () => {
    expect(address({ resource_name: 'acme-eu' })).toBe('https://acme-eu.openai.azure.com/openai');
    expect(() => address({})).toThrow('resource_name is missing.');
  });

  it.each(['evil.com/', 'a.b', 'a@b', 'a/b', 'a?b'])('accepts no other host in the resource name %s', (name) => {
    expect(() => address({ resource_name: name })).toThrow('must be the first label of the host');
  });

  it('puts the deployment and the version in the path', () => {
    expect(chatPath({ deployment_id: 'd 1', api_version: '2024-10-21' })).toBe(
      '/deployments/d%201/chat/completions?api-version=2024-10-21',
    );
  });

  it('also supports text completions at its deployments', () => {
    expect(completionsPath({ deployment_id: 'd', api_version: '2024-10-21' })).toBe(
      '/deployments/d/completions?api-version=2024-10-21',
    );
    expect(completionsPath({})).toBe('/v1/completions');
  });

  it.each([
    ['the deployment whose alias is the model', 'mini', 'small', '2024-06-01'],
    ['the default deployment if no alias is the model', 'other', 'large', '2024-10-21'],
  ])('chooses %s', (_, model, deployment, version) => {
    expect(chatPath({ deployments }, model)).toBe(`/deployments/${deployment}/chat/completions?api-version=${version}`);
  });

  it('chooses the first deployment if none is the default', () => {
    const list = deployments.map(({ deployment_id, alias, api_version }) => ({ deployment_id, alias, api_version }));
    expect(chatPath({ deployments: list }, 'other')).toContain('/deployments/small/');
  });

  it('falls back to a deployment with the name of the model', () => {
    expect(chatPath({ api_version: '2024-10-21' })).toContain('/deployments/gpt/');
  });

  it('uses the model from the header if the body names none', () => {
    const endpoint = azureOpenai.speaks.chat;
    const settings = { deployments, clouda_model_name: 'mini' };
    const path = typeof endpoint === 'function' ? endpoint({ settings, model: undefined, stream: false }) : '';
    expect(path).toContain('/deployments/small/');
  });

  it('reports that deployment_id is missing if nothing names a deployment', () => {
    const endpoint = azureOpenai.speaks.chat;
    expect(() =>
      typeof endpoint === 'function'
        ? endpoint({ settings: { api_version: '2024-10-21' }, model: undefined, stream: false })
        : '',
    ).toThrow('deployment_id is missing');
  });

  it.each([{}, { api_version: 'v1' }])('uses the undated paths for %j', (settings) => {
    expect(chatPath(settings)).toBe('/v1/chat/completions');
    expect(azureOpenai.passThrough?.('/files?limit=1', settings)).toBe('/v1/files?limit=1');
  });

  it('adds the version to a passed-through path without one', () => {
    const settings = { api_version: '2024-10-21' };
    expect(azureOpenai.passThrough?.('/files', settings)).toBe('/files?api-version=2024-10-21');
    expect(azureOpenai.passThrough?.('/files?limit=1', settings)).toBe('/files?limit=1&api-version=2024-10-21');
    expect(azureOpenai.passThrough?.('/files?api-version=x', settings)).toBe('/files?api-version=x');
  });

  it.each(['preview', 'latest'])('adds the version %s to the query of undated paths', (version) => {
    expect(chatPath({ deployment_id: 'd', api_version: version })).toBe(`/v1/chat/completions?api-version=${version}`);
    expect(azureOpenai.passThrough?.('/files?limit=1', { api_version: version })).toBe(
      `/v1/files?limit=1&api-version=${version}`,
    );
  });

  it("calls the undated API if a client's query has an undated version", () => {
    const settings = { api_version: '2024-10-21' };
    expect(azureOpenai.passThrough?.('/files?api-version=preview', settings)).toBe('/v1/files?api-version=preview');
    expect(azureOpenai.passThrough?.('/files?api-version=2025-01-01', { api_version: 'preview' })).toBe(
      '/files?api-version=2025-01-01',
    );
  });

  it('puts the deployment of a Responses request in the body, in every version', () => {
    const { responses } = azureOpenai.speaks;
    const readPath = (settings: JsonObject) =>
      typeof responses === 'function' ? responses({ settings, model: 'gpt', stream: false }) : expect.unreachable();
    expect(readPath({ api_version: '2025-04-01-preview' })).toBe('/responses?api-version=2025-04-01-preview');
    expect(readPath({})).toBe('/v1/responses');
    expect(readPath({ api_version: 'preview' })).toBe('/v1/responses?api-version=preview');
    expect(azureOpenai.bodyModel?.('mini', { deployments })).toBe('small');
    expect(azureOpenai.bodyModel?.('mini', { deployment_id: 'd' })).toBe('d');
    expect(azureOpenai.bodyModel?.('mini', {})).toBe('mini');
  });

  it('also reads the version from clouda_api_version', () => {
    expect(chatPath({ clouda_api_version: '2024-10-21' })).toBe(
      '/deployments/gpt/chat/completions?api-version=2024-10-21',
    );
  });

  it('sends its key in the api-key header', () => {
    expect(azureOpenai.headers({ api_key: 'k' }, {})).toEqual(['api-key', 'k']);
  });

  it.each(['.', '..', '\ud800'])('rejects the deployment %j, which would change the path', (deployment) => {
    const endpoint = azureOpenai.speaks.chat;
    if (typeof endpoint !== 'function') throw expect.unreachable();
    const settings = { resource_name: 'acme', deployment_id: deployment, api_version: '2024-10-21' };
    expect(() => endpoint({ settings, model: 'm', stream: false })).toThrow('azure-openai');
  });
});
