import { describe, expect, it } from 'vitest';
import type { KeyScope } from '../../../plugins/sdk/exchange/exchange.ts';
import { serviceKeys } from '../../../runtime/access/service-keys.ts';
import { type Answering, holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { answer, startServer } from '../server/support/start-server.ts';

const keyWith = (...scopes: readonly KeyScope[]) => holder({ scopes: new Set(scopes) });

const keys = {
  all: holder(),
  writes: keyWith('completions.write', 'configs.read'),
  lists: keyWith('models.list'),
  reads: keyWith('configs.read'),
  'of-organisation': holder({ reach: 'organisation' }),
  'lists-organisation': holder({ reach: 'organisation', scopes: new Set<KeyScope>(['models.list']) }),
};

const start = (answering: Answering = 'at once') =>
  startServer({
    identities: scriptedIdentities(keys, {
      answering,
      workspaces: { home: 'w1', w1: 'w1', research: 'w2', 'w2-id': 'w2' },
    }),
    execute: ({ principal }) => answer(JSON.stringify({ tenant: principal.tenant, workspace: principal.workspace })),
  });

const ask = async (origin: string, route: string, headers: Record<string, string>) => {
  const [method = 'GET', path = '/'] = route.split(' ');
  const response = await fetch(origin + path, {
    method,
    headers: { 'x-gw-provider': 'p', ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  return { status: response.status, body: await response.json() };
};

describe('the scopes of a key', () => {
  it.each([
    ['all', 'POST /v1/chat/completions', undefined],
    ['all', 'GET /v1/models', undefined],
    ['writes', 'POST /v1/chat/completions', undefined],
    ['writes', 'POST /v1/messages', undefined],
    ['writes', 'GET /v1/files', undefined],
    ['writes', 'GET /v1/models', undefined],
    ['lists', 'GET /v1/models', undefined],
    ['lists', 'GET /v1/models/m', undefined],
    ['lists', 'DELETE /v1/models/m', 'completions.write'],
    ['reads', 'GET /v1/models/m', 'models.list'],
    ['lists', 'POST /v1/chat/completions', 'completions.write'],
    ['lists', 'GET /v1/files', 'completions.write'],
    ['reads', 'POST /v1/embeddings', 'completions.write'],
    ['reads', 'DELETE /v1/files/f', 'completions.write'],
    ['reads', 'GET /v1/models', 'models.list'],
  ])('of the key %s decide about %s', async (key, route, missing) => {
    await using server = await start();
    const { status, body } = await ask(server.origin, route, { 'x-gw-api-key': key });
    if (missing === undefined) expect(status).toBe(200);
    else
      expect({ status, body }).toMatchObject({
        status: 403,
        body: {
          error: {
            code: 'missing-scope',
            type: 'permission_error',
            message: expect.stringContaining(`does not have the scope ${missing}.`),
          },
        },
      });
  });

  it('are checked after the key and before the headers', async () => {
    await using server = await start();
    const broken = { 'x-gw-request-timeout': 'soon' };
    const route = 'POST /v1/chat/completions';
    expect(await ask(server.origin, route, { ...broken, 'x-gw-api-key': 'nobody' })).toMatchObject({ status: 401 });
    expect(await ask(server.origin, route, { ...broken, 'x-gw-api-key': 'reads' })).toMatchObject({ status: 403 });
    expect(await ask(server.origin, route, { ...broken, 'x-gw-api-key': 'writes' })).toMatchObject({ status: 400 });
  });
});

describe.each(['at once', 'later'] as const)('the header x-gw-workspace, looked up %s', (answering) => {
  it.each(['research', 'w2-id'])('selects the workspace in which the key of an organisation acts: %s', async (name) => {
    await using server = await start(answering);
    expect(
      await ask(server.origin, 'GET /v1/models', { 'x-gw-api-key': 'of-organisation', 'x-gw-workspace': name }),
    ).toMatchObject({ status: 200, body: { tenant: 'w2', workspace: 'w2' } });
  });

  it('may be omitted, and the key then acts in its default workspace', async () => {
    await using server = await start(answering);
    expect(await ask(server.origin, 'GET /v1/models', { 'x-gw-api-key': 'of-organisation' })).toMatchObject({
      status: 200,
      body: { tenant: 'w1', workspace: 'w1' },
    });
  });

  it('is rejected if it names a workspace that the key cannot access', async () => {
    await using server = await start(answering);
    expect(
      await ask(server.origin, 'GET /v1/models', { 'x-gw-api-key': 'of-organisation', 'x-gw-workspace': 'other' }),
    ).toMatchObject({
      status: 403,
      body: { error: { code: 'workspace-not-reached', message: expect.stringContaining('"other"') } },
    });
  });

  it.each(['research', 'other'])('is rejected with a key of another workspace: %s', async (name) => {
    await using server = await start(answering);
    expect(await ask(server.origin, 'GET /v1/models', { 'x-gw-api-key': 'all', 'x-gw-workspace': name })).toMatchObject(
      {
        status: 403,
        body: {
          error: {
            code: 'workspace-not-reached',
            message: expect.stringContaining('always acts in its own workspace'),
          },
        },
      },
    );
  });

  it.each(['home', 'w1'])('may name the workspace of the key: %s', async (name) => {
    await using server = await start(answering);
    expect(await ask(server.origin, 'GET /v1/models', { 'x-gw-api-key': 'all', 'x-gw-workspace': name })).toMatchObject(
      { status: 200, body: { tenant: 'w1', workspace: 'w1' } },
    );
  });

  it('is checked before other headers, which are checked too', async () => {
    await using server = await start(answering);
    const headers = { 'x-gw-api-key': 'lists-organisation', 'x-gw-request-timeout': 'soon' };
    const named = (name: string) => ask(server.origin, 'GET /v1/models', { ...headers, 'x-gw-workspace': name });
    expect(await named('other')).toMatchObject({ status: 403 });
    expect(await named('research')).toMatchObject({ status: 400, body: { error: { code: 'invalid-header' } } });
  });
});

describe('the header x-gw-workspace of callers without an organisation', () => {
  const refused = {
    status: 400,
    body: { error: { code: 'invalid-header', message: expect.stringContaining('The header x-gw-workspace ') } },
  };

  it('is rejected with a key of the gateway file', async () => {
    const identities = { identify: serviceKeys([{ id: 'team', key: 'key-of-team' }]) };
    await using server = await startServer({ identities, execute: () => answer('{}') });
    const key = { 'x-gw-api-key': 'key-of-team' };
    expect(await ask(server.origin, 'GET /v1/models', key)).toMatchObject({ status: 200 });
    expect(await ask(server.origin, 'GET /v1/models', { ...key, 'x-gw-workspace': 'research' })).toMatchObject(refused);
  });

  it('is rejected if there are no keys', async () => {
    await using server = await startServer({ execute: () => answer('{}') });
    expect(await ask(server.origin, 'GET /v1/models', { 'x-gw-workspace': 'research' })).toMatchObject(refused);
  });
});
