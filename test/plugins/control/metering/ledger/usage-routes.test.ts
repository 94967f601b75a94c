import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import { usageRoutes } from '../../../../../plugins/control/metering/ledger/usage-routes.ts';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { type ControlWorld, controlWorld } from '../../support/control-world.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { startTime } from '../../support/key-world.ts';
import { toEntry, toPosting } from './sample-posting.ts';

describe('GET /usage', () => {
  let world: ControlWorld;
  let key: string;
  let elsewhere: string;
  beforeAll(async () => {
    const overlay = { ...nothingSaved, labels: { _user: {}, team: { type: 'string' as const } } };
    world = await controlWorld({ routes: usageRoutes, overlay });
    const { store, admin, keys } = world;
    elsewhere = await world.addWorkspace('elsewhere');
    const foreign = await world.addWorkspace('foreign', 'another-organisation');
    key = (await keys.create(admin, { name: 'analyst', scopes: ['analytics.view'] })).key;
    const writer = new LedgerWriter({ store, clock: jumpingClock(startTime), say: () => {} });
    const post = (workspace: string, model: string, organisation: string = admin.organisation) =>
      writer.behind.take(
        toPosting({
          id: `${workspace} ${model}`,
          entry: toEntry({ at: startTime - 3_600_000, organisation, workspace, model }),
        }),
      );
    post(String(admin.workspace), 'gpt-4o');
    post(String(admin.workspace), 'o3');
    post(elsewhere, 'gpt-4o');
    post(foreign, 'gpt-4o', 'another-organisation');
    await writer.close();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('returns the usage of its workspace to a key of a workspace', async () => {
    const { status, body } = await world.ask('/usage?group_by=model&group_by=day,metadata._user', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', total: 2, summary: { attempts: 2, requests: 2, cost: '0.000003' } });
    expect(body.data[0]).toEqual({
      ...{ model: 'gpt-4o', day: Date.UTC(2026, 0, 30) / 1000, 'metadata._user': 'ada' },
      ...{ requests: 1, attempts: 1, input_tokens: 100, cache_read_tokens: 40, cache_write_tokens: 0, audio_tokens: 0 },
      ...{ output_tokens: 20, reasoning_tokens: 5, cost: '0.0000015', nano_usd: '1500', unpriced: 0 },
      ...{ reported: 1, partial: 0, estimated: 0, none: 0 },
    });
  });

  it('returns the usage of all workspaces, or of one, to a key of the organisation', async () => {
    expect((await world.ask('/usage?group_by=workspace')).body).toMatchObject({ total: 2, summary: { attempts: 3 } });
    expect((await world.ask('/usage?workspace_id=elsewhere')).body.summary).toMatchObject({ attempts: 1 });
  });

  it('refuses usage that the caller has no access to', async () => {
    const asked = await world.ask(`/usage?workspace_id=${elsewhere}`, { key });
    expect(asked.status).toBe(400);
    expect((await world.ask('/usage?workspace_id=foreign')).status).toBe(400);
    const { keys, admin } = world;
    const other = (await keys.create(admin, { name: 'app', scopes: ['completions.write'] })).key;
    expect((await world.ask('/usage', { key: other })).status).toBe(403);
  });

  it.each([
    ['group_by=metadata.tema', 'No request of this time has the label "tema". Did you mean "team"?'],
    ['metadata=teem%3Dblue', 'No request of this time has the label "teem". Did you mean "team"?'],
    ['group_by=metadata.another', undefined],
    ['group_by=metadata.team', undefined],
    ['group_by=metadata._user', undefined],
    ['group_by=model', undefined],
  ])('suggests a declared label only if the query names a similar one without usage: %s', async (query, note) => {
    const { status, body } = await world.ask(`/usage?${query}`);
    expect([status, body.note]).toEqual([200, note]);
  });

  it.each([
    ['group_by=colour', '/group_by', 'Usage cannot be grouped by "colour".'],
    ['group_by=metadata.a,metadata.b', '/group_by', 'Usage can be grouped by only one label at a time.'],
    ['group_by=hour,metadata.a', '/group_by', 'Usage with a label is summed by days.'],
    ['group_by=metadata.a&metadata=b%3D1', '/metadata', 'Usage cannot be reported by two labels at once.'],
    ['metadata=team', '/metadata', 'This is not a label with its value.'],
    ['from=20&to=10', '/from', 'This is not before the end of the period.'],
  ])('refuses %s', async (query, pointer, message) => {
    const { status, body } = await world.ask(`/usage?${query}`);
    expect(status).toBe(400);
    expect(body.error.errors).toMatchObject([{ in: 'query', pointer, message }]);
  });
});
