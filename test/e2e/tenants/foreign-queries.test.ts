import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { describedRoutes } from './support/described-routes.ts';
import { headersFor } from './support/file-and-batch.ts';
import { type Records, saveAll } from './support/save-all.ts';
import { startTenants, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;
let theirs: Records;

beforeAll(async () => {
  world = await startTenants(writeFolder({}));
  theirs = await saveAll(world, world.ours, 'zzours');
  await saveAll(world, world.neighbour, 'neighbour');
  await saveAll(world, world.stranger, 'stranger');
});
afterAll(() => world[Symbol.asyncDispose]());

it('a name of another tenant in any query parameter of a list finds nothing and causes no failure', async () => {
  const { neighbour, stranger } = world;
  const names = [...Object.values(theirs).flat(), world.ours.id, world.ours.slug];
  const lists = (await describedRoutes(world)).filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const pairs = lists.flatMap(({ path, members }) =>
    members
      .filter((member) => member.startsWith('query:'))
      .flatMap((member) => names.map((name) => ({ path, parameter: member.slice('query:'.length), name }))),
  );
  expect(pairs.length).toBeGreaterThan(1000);
  for (const [at, { path, parameter, name }] of pairs.entries()) {
    if (!isSampled(at, 0, 8)) continue;
    for (const [own, key] of [
      ['neighbour', neighbour.key],
      ['stranger', stranger.admin],
    ] as const) {
      const request = `GET /v1${path}?${new URLSearchParams({ [parameter]: name })}`;
      const { status, text } = await world.ask(request, { key, headers: headersFor(path, own) });
      expect([200, 400, 404], `${request}: ${text}`).toContain(status);
      // An error repeats the name that was sent.
      const others = names.filter((each) => each !== name && each.length > 10 && text.includes(each));
      expect([others, status === 200 && text.includes('zzours') && !name.includes('zzours')], request).toEqual([
        [],
        false,
      ]);
    }
  }
}, 120_000);
