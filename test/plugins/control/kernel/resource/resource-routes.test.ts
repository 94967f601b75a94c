import { describe, expect, it } from 'vitest';
import { keyRoutes } from '../../../../../plugins/control/access/keys/key-routes.ts';
import { configRoutes } from '../../../../../plugins/control/catalog/configs/config-routes.ts';
import { promptRoutes } from '../../../../../plugins/control/catalog/prompts/prompt-routes.ts';
import { createTenants } from '../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import type { AllParts } from '../../../../../plugins/control/control-routes.ts';
import type { ControlRoute } from '../../../../../plugins/control/kernel/requests/control-route.ts';
import { resourceRoutes } from '../../../../../plugins/control/kernel/resource/resource-routes.ts';
import { ratePolicyRoutes, usagePolicyRoutes } from '../../../../../plugins/control/metering/policies/policy-routes.ts';
import { resources } from '../../../../../plugins/control/resources.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { controlWorld } from '../../support/control-world.ts';
import { toChangeBody, toNewBody } from '../../support/resource-bodies.ts';

interface Sent {
  readonly method?: string;
  readonly ifMatch?: string;
  readonly json?: JsonObject;
}

/** Returns the id in a response to a request that created a record. */
const idIn = ({ id, data }: { readonly id?: string; readonly data?: { readonly id: string } }): string =>
  id ?? data?.id ?? '';

/** The requests of one kind of record. */
interface Kind {
  readonly path: string;
  routes(parts: AllParts): readonly ControlRoute[];
  /** Returns a body that creates a record, a different one for each number. */
  toNew(at?: number): JsonObject;
  toChange(at: number): JsonObject;
  /** Whether an update accepts the body that created the record. */
  readonly acceptsNew?: boolean;
  /** Whether the record has a slug. A slug never changes. */
  readonly isSlugged: boolean;
}

const withViews = (parts: AllParts): AllParts => ({
  ...parts,
  readView: createTenants({ ...parts, clock: systemClock }).viewNow,
});

const configs: Kind = {
  path: '/configs',
  routes: (parts) => configRoutes(withViews(parts)),
  toNew: (at = 0) => ({ name: `config ${at}`, config: { provider: 'echo' } }),
  toChange: (at) => ({ name: `config ${at}`, config: { provider: 'echo', request_timeout: 1000 + at } }),
  isSlugged: true,
};

const policies = (kind: 'usage' | 'rate'): Kind => ({
  path: `/policies/${kind}-limits`,
  routes: kind === 'usage' ? usagePolicyRoutes : ratePolicyRoutes,
  toNew: (at = 0) => ({
    ...{ name: `limit ${at}`, conditions: [{ key: 'provider', value: 'echo' }], group_by: [{ key: 'api_key' }] },
    ...(kind === 'usage' ? { type: 'cost', credit_limit: 1 } : { type: 'requests', unit: 'rpm', value: 1 }),
  }),
  toChange: (at) => ({ name: `limit ${at}` }),
  acceptsNew: false,
  isSlugged: false,
});

const keys: Kind = {
  path: '/api-keys',
  routes: keyRoutes,
  toNew: (at = 0) => ({ name: `key ${at}`, scopes: [], workspace_id: 'default' }),
  toChange: (at) => ({ name: `key ${at}` }),
  acceptsNew: false,
  isSlugged: false,
};

const partials: Kind = {
  path: '/prompts/partials',
  routes: promptRoutes,
  toNew: (at = 0) => ({ name: `partial ${at}`, string: 'Be brief.' }),
  toChange: (at) => ({ name: `partial ${at}` }),
  isSlugged: true,
};

const described = resources.map(
  (resource): Kind => ({
    path: resource.path,
    routes: (parts) => resourceRoutes(resource, withViews(parts)),
    toNew: (at) => toNewBody(resource, at),
    toChange: (at) => toChangeBody(resource, at),
    isSlugged: resource.members.slug?.presence === 'fixed',
  }),
);

const kinds = [...described, configs, keys, partials, policies('usage'), policies('rate')];

describe.each(kinds)('$path', ({ path, routes, toNew, toChange, acceptsNew = true, isSlugged }) => {
  const serve = async () => {
    const world = await controlWorld({ routes });
    const ask = async (to: string, { method = 'GET', ifMatch, json }: Sent = {}) => {
      const answer = await fetch(`http://127.0.0.1:${world.port}/v1${to}`, {
        method,
        headers: {
          'x-gw-api-key': world.adminKey,
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect in it
      const body: any = await answer.json();
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', body };
    };
    return { ask, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
  };

  it.runIf(acceptsNew)('accepts the body that created a record as an update, but not another slug', async () => {
    await using world = await serve();
    const body = { ...toNew(), ...(isSlugged ? { slug: 'as-it-was' } : {}) };
    const { body: made } = await world.ask(path, { method: 'POST', json: body });
    const one = `${path}/${idIn(made)}`;
    expect(await world.ask(one, { method: 'PUT', json: body })).toMatchObject({ status: 200 });
    if (!isSlugged) return;
    const renamed = await world.ask(one, { method: 'PUT', json: { ...body, slug: 'another' } });
    expect(renamed).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('is "as-it-was" and cannot be changed.') } },
    });
    expect((await world.ask(one)).body.slug).toBe('as-it-was');
  });

  it('updates and deletes a record only if it still matches the if-match header', async () => {
    await using world = await serve();
    const { ask } = world;
    const { body: made } = await ask(path, { method: 'POST', json: toNew() });
    const one = `${path}/${idIn(made)}`;
    const read = await ask(one);
    expect(read.etag).toMatch(/^"\w+"$/);
    const change = (at: number, ifMatch?: string) => {
      const sent = { method: 'PUT', json: toChange(at) };
      return ask(one, ifMatch === undefined ? sent : { ...sent, ifMatch });
    };
    const changed = await change(1, `"other", ${read.etag}`);
    expect([changed.status, changed.etag === read.etag]).toEqual([200, false]);
    for (const stale of [read.etag, `W/${changed.etag}`, '"other"']) {
      const refused = await change(2, stale);
      expect([stale, refused.status, refused.body.error.code]).toEqual([stale, 412, 'precondition-failed']);
    }
    expect((await ask(one, { method: 'DELETE', ifMatch: read.etag })).status).toBe(412);
    expect((await ask(one)).etag).toBe(changed.etag);
    for (const wrong of ['unquoted', ' ', ',', '"a" "b"', '"a",b', '*,"a"']) {
      const malformed = await change(2, wrong);
      expect([wrong, malformed.status, malformed.body.error.errors[0].pointer]).toEqual([wrong, 400, '/if-match']);
    }
    expect((await change(2, ` ,"a" ,, ${changed.etag},`)).status).toBe(200);
    expect((await change(2, '"a",,"b"')).status).toBe(412);
    expect((await change(2, '*')).status).toBe(200);
    expect((await change(3)).status).toBe(200);
    expect((await ask(one, { method: 'DELETE', ifMatch: (await ask(one)).etag })).status).toBe(200);
  });

  it('continues a list after a given record', async () => {
    await using world = await serve();
    const { ask } = world;
    const ids: string[] = (await ask(path)).body.data.map(({ id }: { id: string }) => id);
    for (const at of [0, 1, 2]) ids.unshift(idIn((await ask(path, { method: 'POST', json: toNew(at) })).body));
    const listed = async (query: string) => {
      const { status, body } = await ask(`${path}?${query}`);
      return [status, body.total, body.data?.map(({ id }: { id: string }) => id)];
    };
    const total = ids.length;
    expect(await listed('page_size=2')).toEqual([200, total, ids.slice(0, 2)]);
    expect(await listed(`page_size=2&after=${ids[1]}`)).toEqual([200, total, ids.slice(2, 4)]);
    expect(await listed(`page_size=2&after=${ids[1]?.toUpperCase()}`)).toEqual([200, total, ids.slice(2, 4)]);
    for (const none of ['', '0', 'nope', '%00']) expect((await listed(`after=${none}`))[0]).toBe(400);
  });
});
