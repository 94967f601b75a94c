import { describe, expect, it } from 'vitest';
import type { ControlRoute } from '../../../../../plugins/control/kernel/requests/control-route.ts';
import { type Scope, scopeErrors, scopes, toScope } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import { defineResource } from '../../../../../plugins/control/kernel/resource/define-resource.ts';
import { displayName } from '../../../../../plugins/control/kernel/resource/member.ts';
import { defineRoute } from '../../../../../plugins/sdk/route/define-route.ts';

describe('scopes', () => {
  it('consist of a resource and a verb, and are unique', () => {
    expect(new Set(scopes).size).toBe(scopes.length);
    for (const scope of scopes) expect(scope).toMatch(/^[a-z_]+\.[a-z]+$/);
  });

  it.each([
    ['completions.write', 'completions.write'],
    ['policies:create', 'policies.create'],
    ['virtual_keys:list', 'virtual_keys.list'],
    ['policies::create', undefined],
    ['policies', undefined],
    ['Policies.create', undefined],
    ['configs.publish', undefined],
    ['', undefined],
  ])('are parsed from %j as %j', (text, scope) => {
    expect(toScope(text)).toBe(scope);
  });
});

describe('a scope that no key can have', () => {
  const row = { method: 'GET', path: '/notes', operationId: 'list_notes', summary: 'Lists notes.' } as const;
  const handle = () => ({ status: 200, body: {} }) as const;

  it('cannot be the scope of a route or a resource of the control plane', () => {
    const known: readonly ControlRoute[] = [defineRoute({ ...row, scope: 'configs.list', replies: {}, handle })];
    // @ts-expect-error There is no such scope.
    const unknown: readonly ControlRoute[] = [defineRoute({ ...row, scope: 'cofigs.list', replies: {}, handle })];
    const texts = { noun: 'note', plural: 'notes', path: '/notes', command: 'notes', summary: 'Keep notes.' } as const;
    const notes = {
      ...texts,
      owner: 'workspace',
      table: 'collections',
      members: { name: displayName() },
      max: 1,
    } as const;
    const resource = defineResource({ ...notes, scope: 'prompts', scopes: { update: 'prompts.publish' } });
    // @ts-expect-error There are no scopes of all five verbs under this name.
    const unscoped = defineResource({ ...notes, scope: 'models' });
    // @ts-expect-error There is no such scope.
    const misspelt = defineResource({ ...notes, scope: 'prompts', scopes: { update: 'prompts.publsh' } });
    expect(resource.scopes.update).toBe('prompts.publish');
    expect([...known, ...unknown, unscoped, misspelt]).toHaveLength(4);
  });
});

describe('scopeErrors', () => {
  const admin = { reach: 'organisation', scopes: new Set(scopes) } as const;
  const service = {
    reach: 'workspace',
    workspace: 'w1',
    scopes: new Set<Scope>(['keys.create', 'completions.write']),
  } as const;
  const pointers = (...args: Parameters<typeof scopeErrors>): readonly string[] =>
    scopeErrors(...args).map(({ pointer }) => pointer);

  it.each([
    ['all scopes in a workspace, created by a key of the organisation', { scopes, workspace: 'w1' }, admin, []],
    ['all scopes in the organisation, created by a key of the organisation', { scopes }, admin, []],
    [
      'a scope in a workspace, created by a key of that workspace',
      { scopes: ['keys.create'], workspace: 'w1' },
      service,
      [],
    ],
    ['a scope in the organisation, created by a key of a workspace', { scopes: ['keys.create'] }, service, ['/kind']],
    [
      'no scopes in a workspace, created by a key of another one',
      { scopes: [], workspace: 'w2' },
      service,
      ['/workspace_id'],
    ],
    [
      'several scopes that its creator lacks',
      { scopes: ['keys.create', 'keys.list', 'logs.list'], workspace: 'w1' },
      service,
      ['/scopes/1', '/scopes/2'],
    ],
    [
      'a scope in the organisation, created without any rights',
      { scopes: ['keys.create'] },
      {},
      ['/kind', '/scopes/0'],
    ],
    ['no scopes in a workspace, created without any rights', { scopes: [], workspace: 'w1' }, {}, ['/workspace_id']],
  ] as const)('checks what a key grants: %s', (_, asked, maker, expected) => {
    expect(pointers(asked, maker)).toEqual(expected);
  });
});
