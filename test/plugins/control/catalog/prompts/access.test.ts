import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../../plugins/sdk/parameters/compile-schema.ts';
import { type Asked, chatPrompt, promptWorld } from './support/prompt-world.ts';

const scopes = ['create', 'read', 'update', 'delete', 'list', 'publish', 'render'].map((verb) => `prompts.${verb}`);

/** Returns a request for each route that names a resource. */
const requests = (ids: { prompt: string; partial: string; label: string; collection: string }): [string, Asked][] => {
  const put = (json: unknown): Asked => ({ method: 'PUT', json });
  const remove: Asked = { method: 'DELETE' };
  return [
    [`/prompts/${ids.prompt}`, {}],
    [`/prompts/${ids.prompt}@1`, {}],
    [`/prompts/${ids.prompt}/versions`, {}],
    [`/prompts/${ids.prompt}`, put({ patch: true, name: 'x' })],
    [`/prompts/${ids.prompt}/makeDefault`, put({ version: 1 })],
    [`/prompts/${ids.prompt}/labels`, put({ label: ids.label, version: 1 })],
    [`/prompts/${ids.prompt}/render`, { json: { variables: {} } }],
    [`/prompts/${ids.prompt}/completions`, { json: { variables: {} } }],
    [`/prompts/${ids.prompt}`, remove],
    [`/prompts/partials/${ids.partial}`, {}],
    [`/prompts/partials/${ids.partial}/versions`, {}],
    [`/prompts/partials/${ids.partial}`, put({ string: 'x' })],
    [`/prompts/partials/${ids.partial}/makeDefault`, put({ version: 1 })],
    [`/prompts/partials/${ids.partial}`, remove],
    [`/labels/${ids.label}`, {}],
    [`/labels/${ids.label}`, put({ colour: null })],
    [`/labels/${ids.label}`, remove],
    [`/collections/${ids.collection}`, {}],
    [`/collections/${ids.collection}`, put({ name: 'x' })],
    [`/collections/${ids.collection}`, remove],
  ];
};

describe('the prompts, partials, labels and collections of another workspace', () => {
  it('are not found, with the same response as for unknown ones', async () => {
    await using world = await promptWorld();
    const workspace = await world.addWorkspace('other');
    const stranger = await world.keyWith([...scopes, 'completions.write'], { workspace_id: workspace });
    const prompt = await world.make('/prompts', chatPrompt);
    const partial = await world.make('/prompts/partials', { name: 'p', slug: 'rules', string: 'Be kind.' });
    const label = await world.make('/labels', { name: 'live' });
    const collection = await world.make('/collections', { name: 'c' });
    const absent = '01900000-0000-7000-8000-000000000000';
    const unknown = requests({ prompt: absent, partial: absent, label: absent, collection: absent });
    for (const ids of [
      { prompt: prompt.id, partial: partial.id, label: label.id, collection: collection.id },
      { prompt: 'greeting', partial: 'rules', label: 'live', collection: collection.id },
    ])
      for (const [at, [path, asked]] of requests(ids).entries()) {
        const refused = await world.ask(path, { ...asked, key: stranger });
        const [otherPath = '', otherAsked = {}] = unknown[at] ?? [];
        const other = await world.ask(otherPath, { ...otherAsked, key: stranger });
        const segment = path.split('/')[path.includes('partials') ? 3 : 2] ?? '';
        const otherSegment = otherPath.split('/')[path.includes('partials') ? 3 : 2] ?? '';
        expect([path, refused.status]).toEqual([path, 404]);
        expect(JSON.stringify(refused.body).replaceAll(segment, '…')).toBe(
          JSON.stringify(other.body).replaceAll(otherSegment, '…'),
        );
      }
    for (const list of ['/prompts', '/prompts/partials', '/labels', '/collections'])
      expect((await world.ask(list, { key: stranger })).body).toEqual({ object: 'list', total: 0, data: [] });

    const own = { ...chatPrompt, string: '{{>rules}}' };
    expect((await world.ask('/prompts', { key: stranger, json: own })).body.error.errors[0].message).toContain(
      'There is no partial "rules"',
    );
    const filed = { ...chatPrompt, collection_id: collection.id };
    expect((await world.ask('/prompts', { key: stranger, json: filed })).status).toBe(400);
    expect((await world.ask('/prompts', { key: stranger, json: chatPrompt })).status).toBe(200);
    expect((await world.ask('/prompts/greeting')).body.id).toBe(prompt.id);
  });
});

describe('a key', () => {
  it('can do with prompts exactly what its scopes allow', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    await world.make('/labels', { name: 'live' });
    const json = { variables: {} };
    const needs: [string, string, Asked][] = [
      ['prompts.list', '/prompts', {}],
      ['prompts.read', '/prompts/greeting', {}],
      ['prompts.read', '/prompts/greeting/versions', {}],
      ['prompts.create', '/prompts', { json: { ...chatPrompt, slug: 'other' } }],
      ['prompts.update', '/prompts/greeting', { method: 'PUT', json: { patch: true, name: 'x' } }],
      ['prompts.publish', '/prompts/greeting/makeDefault', { method: 'PUT', json: { version: 1 } }],
      ['prompts.publish', '/prompts/greeting/labels', { method: 'PUT', json: { label: 'live', version: 1 } }],
      ['prompts.render', '/prompts/greeting/render', { json }],
      ['completions.write', '/prompts/greeting/completions', { json }],
      ['prompts.delete', '/prompts/greeting', { method: 'DELETE' }],
    ];
    const all = [...scopes, 'completions.write'];
    for (const [scope, path, asked] of needs) {
      const without = await world.keyWith(all.filter((each) => each !== scope));
      const refused = await world.ask(path, { ...asked, key: without });
      expect([path, refused.status, refused.body.error.code]).toEqual([path, 403, 'AB03']);
      const allowed = await world.ask(path, { ...asked, key: await world.keyWith([scope]) });
      expect([path, allowed.status]).toEqual([path, 200]);
    }
  });
});

describe('every response', () => {
  it('matches the schema of its route', async () => {
    await using world = await promptWorld();
    const prompt = await world.make('/prompts', { ...chatPrompt, tools: [{ type: 'function' }], tool_choice: 'auto' });
    const partial = await world.make('/prompts/partials', { name: 'p', string: '' });
    const label = await world.make('/labels', { name: 'live' });
    const collection = await world.make('/collections', { name: 'c' });
    const ids = { prompt: prompt.id, partial: partial.id, label: label.id, collection: collection.id };
    for (const [path, asked] of [
      ...['/prompts', '/prompts/partials', '/labels', '/collections'].map((list): [string, Asked] => [list, {}]),
      ...requests(ids),
    ]) {
      if (path.endsWith('/completions')) continue;
      const { status, body } = await world.ask(path, asked);
      const method = asked.method ?? (asked.json === undefined ? 'GET' : 'POST');
      const form = path
        .replace(/^\/prompts\/partials\/[^/]+/, '/prompts/partials/{id}')
        .replace(/^\/(prompts|labels|collections)\/(?!partials)[^/]+/, '/$1/{id}');
      const row = world.routes.find((each) => each.method === method && each.path === form);
      const schema = row?.replies[200];
      expect([path, status, typeof schema]).toEqual([path, 200, 'object']);
      if (schema !== undefined && typeof schema === 'object' && !('length' in schema))
        expect([path, compileSchema(schema).validate(body).errors]).toEqual([path, []]);
    }
  });
});
