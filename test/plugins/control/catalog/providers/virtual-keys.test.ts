import { expect, it } from 'vitest';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { addConfig, providerWorld, toPlaces } from './support.ts';

const mask = 'gw-sealed:/credential/api_key';

it('a virtual key is saved with the member names of the hosted service', async () => {
  await using world = await providerWorld();
  const json = {
    name: 'Azure',
    slug: 'azure',
    provider: 'azure-openai',
    key: 'sk-secret',
    resourceName: 'ours',
    apiVersion: '2024-10-21',
    deploymentConfig: [{ apiVersion: 'v1', deploymentName: 'prod' }],
  };
  expect(await world.ask('/virtual-keys', { json })).toMatchObject({ status: 200, body: { data: { slug: 'azure' } } });
  const settings = {
    resource_name: 'ours',
    api_version: '2024-10-21',
    deployments: [{ deployment_id: 'prod', alias: 'prod', api_version: 'v1' }],
  };
  const { body } = await world.ask('/virtual-keys/azure');
  expect(body).toMatchObject({ object: 'virtual-key', settings, credential: { api_key: mask } });
  const kept = { deploymentName: 'other', credential: body.credential };
  expect((await world.ask('/virtual-keys/azure', { method: 'PUT', json: kept })).status).toBe(200);
  expect((await world.ask('/virtual-keys/azure')).body.settings).toEqual({ ...settings, deployment_id: 'other' });
  expect((await world.ask('/providers/azure')).status).toBe(404);
});

it('the problems of a virtual key are reported at the members of the request body', async () => {
  await using world = await providerWorld();
  const json = { name: 'Azure', provider: 'azure-openai', key: '', resourceName: 'a.b' };
  expect(toPlaces(await world.ask('/virtual-keys', { json }))).toEqual(['400', '/resourceName', '/key']);
  expect(toPlaces(await world.ask('/virtual-keys', { json: { name: 'x', integration_id: 'y' } }))).toEqual([
    '400',
    '',
    '/integration_id',
  ]);
});

it('a virtual key cannot have a slug of the gateway file, and is not deleted while a config names it', async () => {
  await using world = await providerWorld({ ...nothingSaved, virtualKeys: { taken: { provider: 'openai' } } });
  const json = { name: 'x', provider: 'openai', key: 'sk-secret' };
  expect((await world.ask('/virtual-keys', { json: { ...json, slug: 'taken' } })).status).toBe(409);
  const made = await world.ask('/virtual-keys', { json: { ...json, slug: 'main' } });
  for (const [slug, name] of [
    ['one', 'main'],
    ['two', made.body.data.id],
  ])
    await addConfig(world, world.admin.tenant, slug, { targets: [{ virtual_key: name }, { provider: '@main' }] });
  expect(await world.ask('/virtual-keys/main', { method: 'DELETE' })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('the config "one", the config "two"') } },
  });
});
