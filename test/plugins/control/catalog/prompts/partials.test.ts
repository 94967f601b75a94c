import { describe, expect, it } from 'vitest';
import { chatPrompt, type PromptWorld, promptWorld } from './support/prompt-world.ts';

const put = (json: unknown) => ({ method: 'PUT', json });
const messages = (content: string) => JSON.stringify([{ role: 'user', content }]);

const rendered = async (world: PromptWorld, reference: string): Promise<string> => {
  const { body } = await world.ask(`/prompts/${reference}/render`, { json: { variables: { who: 'Ann' } } });
  return body.data.messages[0].content;
};

const partial = (world: PromptWorld, slug: string, string: string) =>
  world.make('/prompts/partials', { name: slug, slug, string });

describe('partials', () => {
  it('are included in their published, latest and numbered versions', async () => {
    await using world = await promptWorld();
    const made = await partial(world, 'rules', 'Be kind to {{who}}.');
    expect(made).toEqual({
      id: expect.any(String),
      slug: 'rules',
      version_id: expect.any(String),
      object: 'partial',
    });
    await world.make('/prompts', { ...chatPrompt, string: messages('{{>rules}} {{>rules@latest}} {{>rules@1}}') });
    expect(await rendered(world, 'greeting')).toBe('Be kind to Ann. Be kind to Ann. Be kind to Ann.');
    const next = await world.ask(
      '/prompts/partials/rules',
      put({ string: 'Be brief.', version_description: 'shorter' }),
    );
    expect(next).toMatchObject({ status: 200, body: { slug: 'rules', object: 'partial' } });
    expect(await rendered(world, 'greeting')).toBe('Be kind to Ann. Be brief. Be kind to Ann.');
    expect((await world.ask('/prompts/partials/rules/makeDefault', put({ version: 2 }))).status).toBe(200);
    expect(await rendered(world, 'greeting')).toBe('Be brief. Be brief. Be kind to Ann.');
  });

  it('can be changed with the body that created them, but not to another slug', async () => {
    await using world = await promptWorld();
    await partial(world, 'rules', 'Be kind.');
    const body = { name: 'rules', slug: 'rules', string: 'Be kind.' };
    expect((await world.ask('/prompts/partials/rules', put(body))).status).toBe(200);
    expect(await world.ask('/prompts/partials/rules', put({ ...body, slug: 'others' }))).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringContaining('The slug of this partial is "rules" and cannot be changed.') },
      },
    });
  });

  it('are read, listed and renamed', async () => {
    await using world = await promptWorld();
    const { id } = await partial(world, 'rules', 'Be kind.');
    await world.ask(`/prompts/partials/${id}`, put({ string: 'Be brief.' }));
    await world.ask('/prompts/partials/rules', put({ name: 'House rules' }));
    expect((await world.ask('/prompts/partials/rules')).body).toMatchObject({
      ...{ object: 'partial', id, slug: 'rules', name: 'House rules', string: 'Be kind.' },
      ...{ version: 1, published_version: 1 },
    });
    expect((await world.ask(`/prompts/partials/${id}@latest`)).body).toMatchObject({ version: 2, string: 'Be brief.' });
    expect((await world.ask('/prompts/partials')).body).toMatchObject({ total: 1, data: [{ slug: 'rules' }] });
    expect((await world.ask('/prompts/partials/rules/versions')).body).toMatchObject({
      total: 2,
      data: [
        { version: 2, is_published: false },
        { version: 1, is_published: true },
      ],
    });
    for (const wrong of ['rules@3', 'other', 'rules@live'])
      expect([wrong, (await world.ask(`/prompts/partials/${wrong}`)).status]).toEqual([wrong, 404]);
    expect((await world.ask('/prompts/partials/rules/makeDefault', put({ version: 3 }))).status).toBe(400);
    const again = await world.ask('/prompts/partials', {
      json: { name: 'rules', slug: 'rules', string: '{{>rules}}' },
    });
    expect(again.status).toBe(409);
  });

  it('can include only partials that exist, as prompts can', async () => {
    await using world = await promptWorld();
    await partial(world, 'rules', 'Be kind.');
    const wrong = { ...chatPrompt, string: messages('a\n{{>rules}} {{>rules@2}}\n {{>other}}') };
    const { status, body } = await world.ask('/prompts', { json: wrong });
    expect([status, body.error.errors]).toMatchObject([
      400,
      [
        { pointer: '/string', place: '/0/content', line: 2, column: 12 },
        { pointer: '/string', place: '/0/content', line: 3, column: 2 },
      ],
    ]);
    expect(body.error.errors[0].message).toContain('There is no partial "rules@2"');
    const nested = await world.ask('/prompts/partials', { json: { name: 'x', string: 'a {{>other}}' } });
    expect(nested.body.error.errors).toMatchObject([{ pointer: '/string', line: 1, column: 3 }]);
    const broken = await world.ask('/prompts/partials', { json: { name: 'x', string: 'a\n{{#b}}' } });
    expect(broken.body.error.errors).toMatchObject([{ pointer: '/string', line: 2, column: 1 }]);
  });

  it('cannot include each other in a cycle, and the error shows the cycle', async () => {
    await using world = await promptWorld();
    const itself = await world.ask('/prompts/partials', { json: { name: 'a', slug: 'a', string: '{{>a}}' } });
    expect(itself.body.error.errors).toMatchObject([{ pointer: '/string', message: 'The partial "a" includes "a".' }]);
    await partial(world, 'a', 'A');
    await partial(world, 'b', 'B {{>a}}');
    await partial(world, 'c', 'C {{>b@latest}}');

    expect((await world.ask('/prompts/partials/a', put({ string: 'A {{>c}}' }))).status).toBe(200);
    const published = await world.ask('/prompts/partials/a/makeDefault', put({ version: 2 }));
    expect([published.status, published.body.error.errors]).toMatchObject([
      400,
      [
        {
          pointer: '/version',
          message: 'The partial "a" includes "c", which includes "b@latest", which includes "a".',
        },
      ],
    ]);
    const newest = await world.ask('/prompts/partials/b', put({ string: 'B {{>c}}' }));
    expect(newest.body.error.errors).toMatchObject([
      { pointer: '/string', message: 'The partial "c" includes "b@latest", which includes "c".' },
    ]);
    const numbered = await world.ask('/prompts/partials/b', put({ string: 'B {{>b@2}}' }));
    expect([numbered.status, numbered.body.error.errors[0].message]).toEqual([
      400,
      'The partial "b@2" includes "b@2".',
    ]);
    expect((await world.ask('/prompts/partials/b@latest')).body).toMatchObject({ version: 1, string: 'B {{>a}}' });
  });

  it('are not deleted while a published, latest or labelled version of a prompt or another partial names them', async () => {
    await using world = await promptWorld();
    await partial(world, 'rules', 'Be kind.');
    await partial(world, 'rule', 'Be.');
    const remove = async () => {
      const { status, body } = await world.ask('/prompts/partials/rules', { method: 'DELETE' });
      return [status, body.error?.message ?? body];
    };
    const next = (string: string) => world.ask('/prompts/greeting', put({ patch: true, string: messages(string) }));
    const publish = (version: number) => world.ask('/prompts/greeting/makeDefault', put({ version }));
    const named = [
      409,
      'The partial "rules" is named by the prompt "greeting". Remove it from their templates, and publish those, first.',
    ];

    await world.make('/prompts', { ...chatPrompt, string: messages('{{>rules@1}}') });
    expect(await remove()).toEqual(named);
    await next('none "rules"');
    expect(await remove()).toEqual(named);
    await publish(2);
    await next('{{>rules}}');
    expect(await remove()).toEqual(named);
    await next('none');
    await world.ask('/labels', { json: { name: 'live' } });
    await world.ask('/prompts/greeting/labels', put({ label: 'live', version: 3 }));
    expect(await remove()).toEqual(named);
    await world.ask('/prompts/greeting/labels', put({ label: 'live', version: 4 }));
    await partial(world, 'other', '{{>rules}}');
    expect(await remove()).toMatchObject([409, expect.stringContaining('the partial "other"')]);
    await world.ask('/prompts/partials/other', { method: 'DELETE' });
    expect(await remove()).toEqual([200, {}]);

    expect(await publish(3)).toMatchObject({ status: 400, body: { error: { errors: [{ pointer: '/version' }] } } });
    expect(await rendered(world, 'greeting@3')).toBe('');
    expect((await world.ask('/prompts/partials/rule', { method: 'DELETE' })).status).toBe(200);
  });

  it('are limited to 256 in one prompt', async () => {
    await using world = await promptWorld();
    await partial(world, 'rules', 'Be kind.');
    for (let number = 2; number <= 300; number += 1)
      await world.ask('/prompts/partials/rules', put({ string: `Rule ${number}.` }));
    const tags = Array.from({ length: 300 }, (_, at) => `{{>rules@${at + 1}}}`);
    const { status, body } = await world.ask('/prompts', { json: { ...chatPrompt, string: messages(tags.join('')) } });
    expect([status, body.error.errors]).toMatchObject([400, [{ pointer: '/string' }]]);
    expect(body.error.message).toContain('more than 256 partials');
  });
});
