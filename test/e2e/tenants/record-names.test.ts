import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { ask } from './support/asking.ts';
import { routesIn } from './support/described-routes.ts';

const gateway = sharedStore();

/** The operations that create or change a named record. */
const operations = sharedByTests('operations', async () => {
  const { text } = await ask(gateway().origin, 'GET /v1/openapi.json', { key: adminKey });
  return routesIn(text).filter(({ members }) => members.includes('body/name'));
});

/** The operations whose name is a member of a job at a provider. */
const foreign = ['create_fine_tuning_job'];

const checks = [{ id: 'contains', parameters: { words: ['w'], operator: 'none' } }];
const limited = { conditions: [{ key: 'api_key', value: '*' }], group_by: [{ key: 'api_key' }] };
const keyBody = { scopes: ['completions.write'] };
const prompt = { string: '[{"role":"user","content":"Hi."}]', parameters: {}, virtual_key: 'named-key' };

/** Bodies of new records, by path. */
const bodies: Readonly<Record<string, object>> = {
  '/workspaces': {},
  '/integrations': { provider: 'echo' },
  '/virtual-keys': { provider: 'echo', slug: 'named-key' },
  '/providers': { provider: 'echo', slug: 'named' },
  '/guardrails': { checks },
  '/virtual-models': { target: '@named/m' },
  '/labels': {},
  '/collections': {},
  '/configs': { config: { provider: 'echo' } },
  '/prompts': prompt,
  '/prompts/partials': { string: 'Be brief.' },
  '/policies/usage-limits': { ...limited, type: 'cost', credit_limit: 1 },
  '/policies/rate-limits': { ...limited, type: 'requests', unit: 'rpm', value: 1 },
  '/api-keys/workspace/service': keyBody,
  '/api-keys/workspace/user': { ...keyBody, user_id: 'u' },
  '/api-keys/organisation/service': keyBody,
  '/api-keys': keyBody,
};

/** Names that no record may get. */
const refused = [' ', '\t', '\u00a0\u2003', 'a\u0007', 'two\nlines', '\u001b[31mred', 'a\u0085b', 'a\0b'];

const pointers = (text: string): readonly string[] =>
  JSON.parse(text).error.errors.map(({ pointer }: { readonly pointer: string }) => pointer);

const save = async (origin: string, stem: string, body: object): Promise<string> => {
  const { status, text } = await ask(origin, `POST /v1${stem}`, { key: adminKey, body });
  expect(status, `${stem}: ${text}`).toBe(200);
  const { id, data } = JSON.parse(text);
  return id ?? data.id;
};

const ids = sharedByTests('ids', async () => {
  const saved: Record<string, string> = {};
  for (const [at, [stem, body]] of Object.entries(bodies).entries())
    saved[stem] = await save(gateway().origin, stem, { name: `name-${at}`, ...body });
  return saved;
});

it('refuses the same names for every record, new or changed, in a dry run or not', { timeout: 60_000 }, async () => {
  const wrong: unknown[] = [];
  for (const { method, path: route, operationId, members } of operations()) {
    if (foreign.includes(operationId)) continue;
    const stem = route.replace(/\/\{.*/, '');
    const body = method === 'POST' ? bodies[stem] : stem === '/prompts' ? { patch: true } : {};
    expect(body, operationId).toBeDefined();
    for (const query of members.includes('query:dry_run') ? ['', '?dry_run=true'] : [''])
      for (const name of refused) {
        const id = ids()[stem] ?? '';
        const request = `${method} /v1${route.replace(/\{.*/, id)}${query}`;
        const sent = { key: adminKey, body: { ...body, name } };
        const { status, text } = await ask(gateway().origin, request, sent);
        const places = status === 400 ? pointers(text) : text;
        if (JSON.stringify(places) !== '["/name"]') wrong.push([operationId, query, name, status, places]);
      }
  }
  expect(wrong).toEqual([]);
});

it('keeps and changes records whose name an earlier version accepted', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const before = await serveStore('gateway.db', { folder });
  await save(before.origin, '/virtual-keys', { name: 'k', provider: 'echo', slug: 'named-key' });
  const older = ['guardrails', 'configs', 'collections', 'prompts', 'prompts/partials', 'policies/rate-limits'];
  const saved = new Map<string, string>();
  for (const each of older)
    saved.set(each, await save(before.origin, `/${each}`, { name: 'n', ...bodies[`/${each}`] }));
  before.signal('SIGTERM');
  await before.exited;
  const name = ' \u001b ';
  const db = new DatabaseSync(path.join(folder, 'gateway.db'));
  for (const each of older)
    db.prepare(`UPDATE ${each.split(/prompts\/|\//).find((part) => part !== '')} SET name = ?`).run(name);
  db.close();
  const { origin } = await serveStore('gateway.db', { folder });
  for (const [stem, id] of saved) {
    const list = await ask(origin, `GET /v1/${stem}`, { key: adminKey });
    expect(JSON.parse(list.text).data, stem).toMatchObject([{ id, name }]);
    const rest = stem === 'prompts' ? { patch: true } : {};
    const rename = (given: object) =>
      ask(origin, `PUT /v1/${stem}/${id}`, { key: adminKey, body: { ...rest, ...given } });
    expect((await rename({ name })).status, stem).toBe(200);
    expect((await rename({ name: `${name}.` })).status, stem).toBe(400);
    expect((await rename({ name: 'new' })).status, stem).toBe(200);
  }
});
