import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { withoutName } from './support/asking.ts';
import { type DescribedRoute, describedRoutes } from './support/described-routes.ts';
import { headersFor } from './support/file-and-batch.ts';
import { type NamingRequest, namelessMembers, namingMembers } from './support/naming-members.ts';
import { type Records, saveAll } from './support/save-all.ts';
import { startTenants, type Tenant, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;
let theirs: Readonly<Record<string, readonly string[]>>;
let routes: readonly DescribedRoute[];

/** The records of each tenant, by the beginning of its slugs. */
const own = new Map<string, Records>();

/** Returns the record of a request that the gateway has served for a tenant, once it is written. */
const servedRequest = async ({ key }: Pick<Tenant, 'key'>): Promise<string> => {
  const list = async (): Promise<string> => {
    const { data } = JSON.parse((await world.ask('GET /v1/logs?source=gateway&limit=1', { key })).text);
    return data[0].id;
  };
  return vi.waitFor(list, patience);
};

beforeAll(async () => {
  world = await startTenants(writeFolder({}));
  for (const [name, tenant] of [
    ['zzours', world.ours],
    ['neighbour', world.neighbour],
    ['team', world.stranger],
  ] as const)
    own.set(name, { ...(await saveAll(world, tenant, name)), served: [await servedRequest(tenant)] });
  const checks = [{ id: 'contains', parameters: { words: ['team-common-word'], operator: 'none' } }];
  const common = { name: 'g', slug: 'team-common', scope: 'organisation', checks, actions: {} };
  await world.done('POST /v1/guardrails', { key: world.stranger.admin, body: common });
  const team = own.get('team');
  own.set('team', { ...team, '/guardrails/{slug}': [...(team?.['/guardrails/{slug}'] ?? []), common.slug] });
  const { text } = await world.ask('GET /v1/organisation', { key: world.ours.admin });
  theirs = { ...own.get('zzours'), organisation: [JSON.parse(text).id] };
  routes = await describedRoutes(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const unknownLike = (name: string): string =>
  /^(?:gw-\w+-)?[\da-f]{8}-/.test(name) ? `${name.slice(0, -6)}ffffff` : `qq${name.slice(2)}`;

/** Returns the path of a request, with the records of the tenant whose slugs begin with this. */
const sentBy = (slug: string, request: string): string =>
  request
    .replace('/', '/v1/')
    .replace('{key}', own.get(slug)?.['/api-keys/{id}']?.[0] ?? '')
    .replace('{policy}', own.get(slug)?.['/policies/usage-limits/{id}']?.[0] ?? '')
    .replace('{log}', own.get(slug)?.served?.[0] ?? '');

/** Returns how a request is sent: with the headers for its path, and the sender's own file if it names one. */
const sentWith = (slug: string, { request, body }: NamingRequest) => ({
  headers: headersFor(request.split(' ')[1] ?? '', slug),
  ...(body === undefined
    ? {}
    : { body: JSON.parse(JSON.stringify(body).replace('{file}', own.get(slug)?.['/files/{id}']?.[0] ?? '')) }),
});

/** A workspace that is still being created has no config that it could name. */
const namesNothingYet = 'create_workspace';

const toOperation = (described: string): string => described.replace(/[:,].*/, '');

const isNameless = (member: string): boolean =>
  namelessMembers.some((known) => known === member || (known.endsWith('/') && member.startsWith(known)));

const attackers = (member: string): readonly { readonly slug: string; readonly key: string }[] => {
  const { neighbour, stranger } = world;
  const workspace = { slug: 'neighbour', key: neighbour.key };
  const others = [
    { slug: 'team', key: stranger.key },
    { slug: 'team', key: stranger.admin },
  ];
  // Members of an organisation may know its id.
  return member === 'body/organisation_id' ? others : [workspace, ...others];
};

describe('a member of a body or a query', () => {
  it('is known to name records, or to name none', () => {
    const members = routes.flatMap((route) => route.members);
    const unknown = members.filter((member) => !(member in namingMembers) && !isNameless(member));
    expect([...new Set(unknown)]).toEqual([]);
    expect(Object.keys(namingMembers).filter((member) => !members.includes(member))).toEqual([]);
  });

  it('is tested in every operation that has it', () => {
    for (const [member, { requests }] of Object.entries(namingMembers)) {
      const tried = new Set(Object.keys(requests('x', 'y')).map(toOperation));
      const having = routes.filter(({ members }) => members.includes(member)).map(({ operationId }) => operationId);
      const missing = having.filter((each) => !tried.has(each));
      expect(missing, member).toEqual([]);
    }
  });

  it.each(Object.keys(namingMembers))("%s finds the tenant's own records", async (member) => {
    const { admin: key, slug } = world.stranger;
    const organisation = JSON.parse((await world.ask('GET /v1/organisation', { key })).text).id;
    const records: Readonly<Record<string, readonly string[]>> = { ...own.get(slug), organisation: [organisation] };
    const naming = namingMembers[member];
    const understood = new Map<string, string>();
    for (const name of naming?.stems.flatMap((stem) => records[stem] ?? []) ?? [])
      for (const [operation, sending] of Object.entries(naming?.requests(name, slug) ?? {})) {
        const { headers, ...sent } = sentWith(slug, sending);
        const asking = { key, ...sent, headers: { 'x-gw-workspace': slug, ...headers } };
        const { status, text } = await world.ask(sentBy(slug, sending.request), asking);
        const id = toOperation(operation);
        if (status === 200) understood.set(id, 'ok');
        else if (!understood.has(id)) understood.set(id, text);
      }
    const withMember = routes.filter(({ members }) => members.includes(member));
    for (const { operationId } of withMember.filter((route) => route.operationId !== namesNothingYet))
      expect(understood.get(operationId) ?? 'ok', `${operationId} of ${member}`).toBe('ok');
  });

  it.each(Object.keys(namingMembers))(
    '%s treats a record of another tenant like one that does not exist',
    async (member) => {
      const naming = namingMembers[member];
      for (const [attackerAt, { slug, key }] of attackers(member).entries())
        for (const known of naming?.stems.flatMap((stem) => theirs[stem] ?? []) ?? []) {
          // `ours` and `team` of the other organisation share a slug, which means its own record to each.
          const unknown = unknownLike(known);
          for (const [operationAt, operation] of Object.keys(naming?.requests(known, slug) ?? {}).entries()) {
            if (!isSampled(attackerAt, operationAt, 2)) continue;
            const [found, none] = await Promise.all(
              [known, unknown].map((name) => {
                const each = naming?.requests(name, slug)[operation] ?? { request: '' };
                return world.ask(sentBy(slug, each.request), { key, ...sentWith(slug, each) });
              }),
            );
            if (found === undefined || none === undefined) throw new Error('There is no answer.');
            const where = `${operation} with ${known} by ${slug}: ${found.text}`;
            expect(withoutName(found, known), where).toEqual(withoutName(none, unknown));
            expect(found.text.replaceAll(known, ''), where).not.toContain('zzours');
          }
        }
      expect(world.ours.upstream.requests).toHaveLength(0);
    },
  );
});
