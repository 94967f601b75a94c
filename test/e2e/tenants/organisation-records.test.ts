import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../plugins/control/resources.ts';
import { toChangeBody, toNewBody } from '../../plugins/control/support/resource-bodies.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { startTenants, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;

beforeAll(async () => {
  world = await startTenants(writeFolder({}));
});
afterAll(() => world[Symbol.asyncDispose]());

describe('a workspace key with all scopes', () => {
  it.each(resources.filter(({ owner }) => owner !== 'workspace'))(
    'can neither change nor delete $plural of its organisation',
    async (resource) => {
      const { path, owner, noun } = resource;
      const { admin: key, key: ofWorkspace } = world.ours;
      const slug = `shared-${noun}`;
      const scope = owner === 'either' ? { scope: 'organisation' } : {};
      await world.done(`POST /v1${path}`, { key, body: { ...toNewBody(resource), slug, ...scope } });
      const read = async (): Promise<string> => (await world.ask(`GET /v1${path}/${slug}`, { key })).text;
      const before = await read();
      expect(before).toContain(slug);
      for (const request of ['PUT', 'DELETE']) {
        const body = request === 'PUT' ? { body: toChangeBody(resource, 1) } : {};
        const { status, text } = await world.ask(`${request} /v1${path}/${slug}`, { key: ofWorkspace, ...body });
        expect([403, 404], `${request}: ${text}`).toContain(status);
      }
      expect(await read()).toBe(before);
    },
  );

  it('cannot delete the default config of its organisation, even if its workspace has its own default', async () => {
    const { admin, key, slug } = world.ours;
    const config = { config: { provider: 'echo' } };
    for (const [name, is_default] of [
      ['shared', false],
      ['own', true],
    ] as const)
      await world.done('POST /v1/configs', { key, body: { name, slug: name, is_default, ...config } });
    await world.done('PUT /v1/organisation', {
      key: admin,
      headers: { 'x-gw-workspace': slug },
      body: { settings: { config: 'shared' } },
    });
    const { status, text } = await world.ask('DELETE /v1/configs/shared', { key });
    expect([status, text]).toEqual([409, expect.stringContaining('is used by the organisation')]);
    await world.done('PUT /v1/configs/own', { key, body: { is_default: false } });
    const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };
    await world.done('POST /v1/chat/completions', { key, body: chat });
  });
});
