import { describe, expect, it } from 'vitest';
import { chatPrompt, promptWorld } from './support/prompt-world.ts';

const put = (json: unknown) => ({ method: 'PUT', json });
const messages = (content: string) => JSON.stringify([{ role: 'user', content }]);
const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

describe('prompts', () => {
  it('are changed, published, labelled and deleted only if they still match the if-match header', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    await world.make('/labels', { name: 'live' });
    const read = async () => (await world.ask('/prompts/greeting')).headers.get('etag') ?? '';
    const changes = [
      ['/prompts/greeting', put({ patch: true, name: 'Other' })],
      ['/prompts/greeting/makeDefault', put({ version: 1 })],
      ['/prompts/greeting/labels', put({ label: 'live', version: 1 })],
      ['/prompts/greeting', { method: 'DELETE' }],
    ] as const;
    const stale = await read();
    expect(stale).toMatch(/^"\w+"$/);
    expect((await world.ask('/prompts/greeting', put({ patch: true, name: 'First' }))).status).toBe(200);
    for (const [path, change] of changes) {
      const etag = await read();
      const refused = await world.ask(path, { ...change, headers: { 'if-match': stale } });
      expect([path, refused.status, refused.body.error.code]).toEqual([path, 412, 'precondition-failed']);
      expect(await read()).toBe(etag);
      const changed = await world.ask(path, { ...change, headers: { 'if-match': etag } });
      expect([path, changed.status]).toEqual([path, 200]);
      if (!('json' in change)) continue;
      expect(changed.headers.get('etag')).toBe(await read());
      expect(await read()).not.toBe(etag);
    }
  });

  it('are created, read, listed and deleted', async () => {
    await using world = await promptWorld();
    const made = await world.make('/prompts', { ...chatPrompt, version_description: 'the first' });
    expect(made).toEqual({
      id: expect.stringMatching(uuid),
      slug: 'greeting',
      version_id: expect.stringMatching(uuid),
      object: 'prompt',
    });
    const { slug } = await world.make('/prompts', { ...chatPrompt, name: 'My Prompt', slug: undefined });
    expect(slug).toMatch(/^my-prompt-[\da-f]{6}$/);

    const bySlug = await world.ask('/prompts/greeting');
    expect(bySlug).toMatchObject({
      status: 200,
      body: {
        ...chatPrompt,
        ...{ object: 'prompt', id: made.id, version: 1, version_id: made.version_id, published_version: 1 },
        ...{ version_description: 'the first', collection_id: null, labels: [] },
        created_at: Math.floor(world.time.now / 1000),
      },
    });
    expect((await world.ask(`/prompts/${made.id}`)).body).toEqual(bySlug.body);
    expect((await world.ask('/prompts')).body).toMatchObject({
      object: 'list',
      total: 2,
      data: [{ slug }, { slug: 'greeting', name: 'Greeting' }],
    });
    expect((await world.ask('/prompts?page_size=1&current_page=1')).body).toMatchObject({
      total: 2,
      data: [{ slug: 'greeting' }],
    });

    expect(await world.ask('/prompts/greeting', { method: 'DELETE' })).toMatchObject({ status: 200, body: {} });
    const gone = await world.ask('/prompts/greeting');
    expect(gone).toMatchObject({ status: 404, body: { error: { code: 'AB08' } } });
    expect((await world.ask('/prompts/greeting', { method: 'DELETE' })).status).toBe(404);
  });

  it('can be changed with the body that created them, but not to another slug', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    expect((await world.ask('/prompts/greeting', put(chatPrompt))).status).toBe(200);
    expect(await world.ask('/prompts/greeting', put({ ...chatPrompt, slug: 'other' }))).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringContaining('The slug of this prompt is "greeting" and cannot be changed.') },
      },
    });
  });

  it('have versions that never change, one of which is published', async () => {
    await using world = await promptWorld();
    const { id, version_id: first } = await world.make('/prompts', chatPrompt);
    const second = await world.ask('/prompts/greeting', put({ patch: true, string: messages('Bye, {{who}}!') }));
    expect(second).toMatchObject({ status: 200, body: { id, slug: 'greeting', object: 'prompt' } });
    expect(second.body.version_id).not.toBe(first);
    expect((await world.ask('/prompts/greeting')).body).toMatchObject({ ...chatPrompt, version: 1 });
    expect((await world.ask('/prompts/greeting@latest')).body).toMatchObject({
      ...chatPrompt,
      string: messages('Bye, {{who}}!'),
      version: 2,
    });

    const published = await world.ask('/prompts/greeting/makeDefault', put({ version: 2 }));
    expect(published).toMatchObject({ status: 200, body: { version_id: second.body.version_id } });
    expect((await world.ask('/prompts/greeting')).body).toMatchObject({ version: 2, published_version: 2 });
    expect((await world.ask('/prompts/greeting@1')).body).toMatchObject({ version: 1, version_id: first });
    expect((await world.ask('/prompts/greeting/versions')).body).toMatchObject({
      object: 'list',
      total: 2,
      data: [
        { object: 'prompt-version', version: 2, is_published: true },
        { version: 1, is_published: false, id: first },
      ],
    });

    const whole = { string: 'Tell of {{x}}.', parameters: {}, virtual_key: '@mirror' };
    await world.ask('/prompts/greeting', put(whole));
    const { body } = await world.ask('/prompts/greeting@3');
    expect(body).toMatchObject(whole);
    expect(body).not.toHaveProperty('model');

    const renamed = await world.ask('/prompts/greeting', put({ patch: true, name: 'Welcome' }));
    expect((await world.ask('/prompts/greeting@latest')).body).toMatchObject({ version: 3, name: 'Welcome' });
    expect(renamed.body.version_id).toBe(body.version_id);
    for (const wrong of ['greeting@4', 'greeting@0', 'greeting@nobody', 'greeting@', 'a b'])
      expect([wrong, (await world.ask(`/prompts/${wrong}`)).status]).toEqual([wrong, 404]);
    expect((await world.ask('/prompts/greeting/makeDefault', put({ version: 4 }))).body).toMatchObject({
      error: { code: 'AB01', errors: [{ pointer: '/version' }] },
    });
  });

  it('are not saved with mistakes, all of which are reported with line, column and hint', async () => {
    await using world = await promptWorld();
    const string = JSON.stringify([
      { role: 'user', content: 'a\n{{#open}}' },
      { role: 'user', content: '{{a b}}' },
    ]);
    const faulty = { ...chatPrompt, string, parameters: { messages: [] }, virtual_key: 'nobody', collection_id: 'x' };
    const { status, body } = await world.ask('/prompts', { json: { ...faulty, slug: 'partials' } });
    expect(status).toBe(400);
    expect(body.error.errors).toMatchObject([
      { pointer: '/slug' },
      { pointer: '/string', place: '/0/content', line: 2, column: 1, hint: expect.stringMatching(/\w/) },
      { pointer: '/string', place: '/1/content', line: 1, column: 1 },
      { pointer: '/parameters/messages' },
      { pointer: '/virtual_key', message: 'There is no virtual key "nobody".' },
      { pointer: '/collection_id' },
    ]);
    expect(body.error.errors[1].message).toBe(
      'The section "open" is not closed (at line 2, column 1 of /0/content in the messages).',
    );

    const readPointers = async (path: string, asked: object) => {
      const answer = await world.ask(path, asked);
      return [answer.status, answer.body.error.errors?.map(({ pointer }: { pointer: string }) => pointer)];
    };
    await world.make('/prompts', chatPrompt);
    const nested = { ...chatPrompt, slug: 'b', parameters: { hyperparameters: { max_tokens: 1 } } };
    expect(await readPointers('/prompts', { json: nested })).toEqual([400, ['/parameters/hyperparameters']]);
    expect(await readPointers('/prompts', { json: { name: 'x' } })).toEqual([
      400,
      ['/string', '/parameters', '/virtual_key'].map(() => expect.any(String)),
    ]);
    expect(await readPointers('/prompts', { json: { ...chatPrompt, slug: 'b', virtual_key: 'mirror' } })).toEqual([
      400,
      ['/virtual_key'],
    ]);
    expect(await readPointers('/prompts/greeting', put({ string: 'only this' }))).toEqual([
      400,
      ['/parameters', '/virtual_key'],
    ]);
    expect(await readPointers('/prompts/greeting', put({ patch: true, string: '{{>none}}' }))).toEqual([
      400,
      ['/string'],
    ]);
    expect(await readPointers('/prompts/greeting', put({ patch: true, string: 'a\u0000' }))).toEqual([
      400,
      ['/string'],
    ]);
    expect(await readPointers('/prompts/greeting', put({ patch: true, string: 'é'.repeat(140_000) }))).toEqual([
      400,
      [''],
    ]);
    expect((await world.ask('/prompts', { json: chatPrompt })).status).toBe(409);
    expect((await world.ask('/prompts/greeting@latest')).body.version).toBe(1);
  });

  it('are created once for an idempotency-key', async () => {
    await using world = await promptWorld();
    const headers = { 'idempotency-key': 'a' };
    const first = await world.ask('/prompts', { json: chatPrompt, headers });
    const again = await world.ask('/prompts', { json: chatPrompt, headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('have at most a thousand versions', async () => {
    await using world = await promptWorld();
    const { id } = await world.make('/prompts', chatPrompt);
    await world.store.write(async (writing) => {
      const version = await writing.selectFrom('prompt_versions').selectAll().executeTakeFirstOrThrow();
      await writing
        .insertInto('prompt_versions')
        .values({ ...version, id: 'the-last', number: 1000 })
        .execute();
    });
    expect(await world.ask(`/prompts/${id}`, put({ patch: true, string: 'x' }))).toMatchObject({
      status: 409,
      body: { error: { code: 'AB07' } },
    });
    expect((await world.ask(`/prompts/${id}`, put({ patch: true, name: 'Other' }))).status).toBe(200);
  });

  it('keep every version of concurrent changes', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    const texts = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      texts.map((text) => world.ask('/prompts/greeting', put({ patch: true, string: text }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await world.ask('/prompts/greeting/versions')).body.total).toBe(5);
  });
});

describe('labels', () => {
  it('refer to one version of a prompt, and can be moved, renamed and deleted', async () => {
    await using world = await promptWorld();
    await world.make('/prompts', chatPrompt);
    await world.ask('/prompts/greeting', put({ patch: true, string: messages('Bye, {{who}}!') }));
    const label = await world.ask('/labels', { json: { name: 'staging', colour: '#00ff00' } });
    expect(label).toMatchObject({ status: 200, body: { object: 'label', name: 'staging', description: null } });
    expect((await world.ask('/prompts/greeting@staging')).status).toBe(404);
    const { status, body } = await world.ask('/prompts/greeting@9');
    expect([status, body.error.message]).toEqual([
      404,
      'There is no prompt "greeting@9". GET /v1/prompts/greeting/versions lists what there is.',
    ]);

    const given = await world.ask('/prompts/greeting/labels', put({ label: 'staging', version: 2 }));
    expect(given).toMatchObject({ status: 200, body: { label: 'staging', version: 2 } });
    expect((await world.ask('/prompts/greeting@staging')).body).toMatchObject({ version: 2, labels: ['staging'] });
    await world.ask('/prompts/greeting/labels', put({ label: label.body.id, version: 1 }));
    expect((await world.ask('/prompts/greeting@staging')).body.version).toBe(1);
    expect((await world.ask('/prompts/greeting/versions')).body.data).toMatchObject([
      { version: 2, labels: [] },
      { version: 1, labels: ['staging'] },
    ]);

    expect((await world.ask('/labels/staging', put({ name: 'live', colour: null }))).body).toMatchObject({
      name: 'live',
      colour: null,
    });
    expect((await world.ask('/prompts/greeting@live')).body.version).toBe(1);
    await world.ask('/prompts/greeting/labels', put({ label: 'live', version: null }));
    expect((await world.ask('/prompts/greeting@live')).status).toBe(404);
    expect((await world.ask('/labels')).body).toMatchObject({ total: 1, data: [{ name: 'live' }] });
    await world.ask('/prompts/greeting/labels', put({ label: 'live', version: 1 }));
    expect((await world.ask('/labels/live', { method: 'DELETE' })).body).toEqual({});
    expect((await world.ask('/prompts/greeting@live')).status).toBe(404);
    expect((await world.ask('/prompts/greeting')).status).toBe(200);
  });

  it('cannot have the name of a version or of another label', async () => {
    await using world = await promptWorld();
    for (const name of ['latest', 'published', '12', '007', 'a b', ''])
      expect([name, (await world.ask('/labels', { json: { name } })).status]).toEqual([name, 400]);
    await world.ask('/labels', { json: { name: 'live' } });
    await world.ask('/labels', { json: { name: 'next' } });
    expect((await world.ask('/labels', { json: { name: 'live' } })).status).toBe(409);
    expect((await world.ask('/labels/next', put({ name: 'live' }))).status).toBe(409);
    expect((await world.ask('/labels/next', put({ name: '3' }))).status).toBe(400);
    await world.make('/prompts', chatPrompt);
    expect((await world.ask('/prompts/greeting/labels', put({ label: 'none', version: 1 }))).status).toBe(400);
    expect((await world.ask('/prompts/greeting/labels', put({ label: 'live', version: 9 }))).status).toBe(400);
  });
});

describe('collections', () => {
  it('contain prompts, and are not deleted while they do', async () => {
    await using world = await promptWorld();
    const { id } = await world.make('/collections', { name: 'Support' });
    await world.make('/prompts', { ...chatPrompt, collection_id: id });
    await world.make('/prompts', { ...chatPrompt, slug: 'other' });
    expect((await world.ask(`/prompts?collection_id=${id}`)).body).toMatchObject({
      total: 1,
      data: [{ slug: 'greeting', collection_id: id }],
    });
    expect((await world.ask(`/collections/${id}`, put({ name: 'Sales' }))).body).toMatchObject({ name: 'Sales' });
    expect((await world.ask(`/collections/${id}`)).body).toMatchObject({ object: 'collection', name: 'Sales' });
    expect((await world.ask('/collections')).body.total).toBe(1);
    expect((await world.ask(`/collections/${id}`, { method: 'DELETE' })).status).toBe(409);
    expect((await world.ask('/prompts/greeting', put({ patch: true, collection_id: null }))).status).toBe(200);
    expect((await world.ask(`/collections/${id}`, { method: 'DELETE' })).body).toEqual({});
    expect((await world.ask(`/collections/${id}`)).status).toBe(404);
  });
});
