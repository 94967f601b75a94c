import { expect, it } from 'vitest';
import { adminKey, callControl, control, type NewKey, sharedStore } from '../../support/gateways/stored-gateway.ts';

const shared = sharedStore();

interface Key {
  readonly id: string;
  readonly kind: string;
  readonly scopes: readonly string[];
}

/** Returns the key with this id, or the first one of the organisation. */
const readAdmin = async (
  gateway: { readonly baseUrl: string },
  { id, key = adminKey }: Partial<NewKey> = {},
): Promise<Key> => {
  const { text } = await callControl(gateway, 'GET /api-keys', { key });
  const { data } = JSON.parse(text) as { readonly data: readonly Key[] };
  const [first] = data.filter((each) => each.kind === 'organisation' && (id === undefined || each.id === id));
  if (first === undefined) throw new Error(text);
  return first;
};

it('does not let any change end the last admin key, or the organisation or workspace that it belongs to', async () => {
  const gateway = shared();
  const { id, scopes } = await readAdmin(gateway);
  const without = (ending: string) => ({ scopes: scopes.filter((scope) => !scope.startsWith(ending)) });
  const soon = Math.floor(Date.now() / 1000) + 60;
  const changes: readonly [request: string, body?: object][] = [
    [`DELETE /api-keys/${id}`],
    [`PUT /api-keys/${id}`, { scopes: [] }],
    [`PUT /api-keys/${id}`, { scopes: ['completions.write'] }],
    [`PUT /api-keys/${id}`, without('keys.')],
    [`PUT /api-keys/${id}`, without('keys.create')],
    [`PUT /api-keys/${id}`, without('keys.update')],
    [`PUT /api-keys/${id}`, { expires_at: soon }],
    [`PUT /api-keys/${id}`, { expires_at: 0 }],
    [`PUT /api-keys/${id}`, { expires_at: -1 }],
    [`PUT /api-keys/${id}`, { expires_at: 1e300 }],
    [`PUT /api-keys/${id}`, { status: 'inactive' }],
    [`PUT /api-keys/${id}`, { kind: 'workspace-service', workspace_id: 'default' }],
    [`PATCH /api-keys/${id}`, { scopes: [] }],
    ['DELETE /organisation'],
    ['DELETE /workspaces/default'],
  ];
  for (const [request, body] of changes) {
    const { status } = await callControl(gateway, request, body === undefined ? {} : { body });
    expect(status, `${request} ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect(await readAdmin(gateway)).toMatchObject({ id, scopes });
});

it('keeps one of three admin keys that revoke each other at the same time', async () => {
  const gateway = shared();
  let current = { id: (await readAdmin(gateway)).id, key: adminKey };
  for (let round = 0; round < 4; round += 1) {
    const make = async (name: string) => {
      const { scopes } = await readAdmin(gateway, current);
      const { id = '', key = '' } = await control(gateway, 'POST /api-keys/organisation/service', {
        key: current.key,
        body: { name, scopes },
      });
      return { id, key };
    };
    const keys = [current, await make('second'), await make('third')];
    const [a, b, c] = keys;
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.');
    await Promise.all([
      callControl(gateway, `DELETE /api-keys/${b.id}`, { key: a.key }),
      callControl(gateway, `DELETE /api-keys/${c.id}`, { key: b.key }),
      callControl(gateway, `DELETE /api-keys/${a.id}`, { key: c.key }),
      callControl(gateway, `PUT /api-keys/${a.id}`, { key: b.key, body: { scopes: ['keys.read'] } }),
      callControl(gateway, `PUT /api-keys/${b.id}`, { key: c.key, body: { scopes: ['keys.read'] } }),
      callControl(gateway, `PUT /api-keys/${c.id}`, { key: a.key, body: { scopes: ['keys.read'] } }),
    ]);
    const left: (typeof current)[] = [];
    for (const each of keys) {
      const { status } = await callControl(gateway, `PUT /api-keys/${each.id}`, {
        key: each.key,
        body: { name: 'still here' },
      });
      if (status === 200) left.push(each);
    }
    const [next] = left;
    expect(next).toBeDefined();
    if (next === undefined) return;
    current = next;
  }
});
