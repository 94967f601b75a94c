import { describe, expect, it } from 'vitest';
import { type SavedWorld, savedWorld } from '../../support/saved-world.ts';

const words = { id: 'contains', parameters: { words: ['password'], operator: 'none' } };
const answers = { id: 'acme.answers' };

interface Refused {
  readonly status: number;
  readonly problems: readonly { readonly pointer: string; readonly message: string; readonly hint: string }[];
}

const make = async (world: SavedWorld, slug: string, more: object = {}): Promise<string> => {
  const { status, body } = await world.ask('/guardrails', { json: { name: slug, slug, checks: [words], ...more } });
  expect(status).toBe(200);
  return body.id;
};

const put = async (world: SavedWorld, slug: string, json: object): Promise<Refused> => {
  const { status, body } = await world.ask(`/guardrails/${slug}`, { method: 'PUT', json });
  return { status, problems: body.error?.errors ?? [] };
};

const config = async (world: SavedWorld, slug: string, members: object, key = world.adminKey): Promise<void> => {
  const json = { name: slug, slug, config: { provider: 'echo', ...members } };
  expect((await world.ask('/configs', { key, json })).status).toBe(200);
};

const settings = (world: SavedWorld, table: 'workspaces' | 'organisations', given: object): Promise<void> =>
  world.store.write(async (writing) => {
    await writing
      .updateTable(table)
      .set({ settings: JSON.stringify(given) })
      .execute();
  });

describe('new checks of a guardrail', () => {
  it('are refused if configs use the guardrail where they cannot run, and the error lists those configs', async () => {
    await using world = await savedWorld();
    await make(world, 'words');
    for (const slug of ['a', 'b', 'c', 'd']) await config(world, slug, { input_guardrails: ['words'] });
    const before = (await world.ask('/guardrails/words')).body;
    const { status, problems } = await put(world, 'words', { name: 'Other', checks: [words, answers] });
    expect([status, problems.map(({ pointer }) => pointer)]).toEqual([400, ['/checks/1/id']]);
    expect(problems[0]?.message).toBe(
      'The check "acme.answers" cannot run on requests. The guardrail "words" is named for requests by the config "a", ' +
        'the config "b", the config "c" and 1 more, where it would no longer work.',
    );
    expect(problems[0]?.hint).not.toBe('');
    expect((await world.ask('/guardrails/words')).body).toEqual(before);
  });

  it.each([
    ['in a target', { strategy: { mode: 'fallback' }, targets: [{ provider: 'echo', input_guardrails: ['words'] }] }],
    ['as a hook', { provider: 'echo', before_request_hooks: [{ id: 'words', on_fail: { deny: true } }] }],
  ])('are refused if a config names the guardrail %s', async (_, named) => {
    await using world = await savedWorld();
    await make(world, 'words');
    await config(world, 'c', { provider: undefined, ...named });
    expect((await put(world, 'words', { checks: [answers] })).status).toBe(400);
  });

  it.each(['workspaces', 'organisations'] as const)(
    'are refused if the defaults of %s name the guardrail',
    async (table) => {
      await using world = await savedWorld();
      const id = await make(world, 'words', { scope: 'organisation' });
      await settings(world, table, { input_guardrails: [id] });
      const { status, problems } = await put(world, 'words', { checks: [answers] });
      expect(status).toBe(400);
      expect(problems[0]?.message).toContain(`named for requests by the defaults of the ${table.slice(0, -1)}`);
      await settings(world, table, { output_guardrails: [id] });
      expect((await put(world, 'words', { checks: [answers] })).status).toBe(200);
    },
  );

  it('are refused if another workspace of the organisation names the guardrail', async () => {
    await using world = await savedWorld();
    const { key } = await world.newWorkspace('other');
    await make(world, 'words', { scope: 'organisation' });
    await config(world, 'elsewhere', { input_guardrails: ['words'] }, key);
    expect((await put(world, 'words', { checks: [answers] })).problems[0]?.message).toContain('the config "elsewhere"');
  });

  it('are saved if the guardrail is used only where they can run, or not at all', async () => {
    await using world = await savedWorld();
    for (const slug of ['unnamed', 'judges-answers', 'renamed']) await make(world, slug);
    await config(world, 'a', { output_guardrails: ['judges-answers'], input_guardrails: ['renamed'] });
    const statuses = [
      await put(world, 'unnamed', { checks: [answers] }),
      await put(world, 'judges-answers', { checks: [answers], actions: { sequential: true } }),
      await put(world, 'renamed', { name: 'Other', actions: { sequential: true, deny: true } }),
      await put(world, 'renamed', { checks: [words, words] }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await world.ask('/guardrails/judges-answers')).body.checks).toEqual([{ ...answers, parameters: {} }]);
  });

  it('are validated against the current uses of the guardrail, not against earlier ones', async () => {
    await using world = await savedWorld();
    await make(world, 'words');
    await config(world, 'a', { input_guardrails: ['words'] });
    const json = { config: { provider: 'echo', output_guardrails: ['words'] } };
    expect((await world.ask('/configs/a', { method: 'PUT', json })).status).toBe(200);
    expect((await put(world, 'words', { checks: [answers] })).status).toBe(200);
  });
});
