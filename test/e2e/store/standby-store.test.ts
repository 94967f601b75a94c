import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { adminKey, callControl, chat, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();

it.runIf(programs !== undefined)(
  'a gateway whose PostgreSQL has become a standby refuses changes with the reason, serves, and loses nothing when it is promoted',
  async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const gateway = await serveStore(server.url);
    const { key } = await makeKey(gateway, 'known');
    await expect.poll(async () => (await chat(gateway, { key })).status).toBe(200);
    const save = async (slug: string) =>
      (await callControl(gateway, 'POST /configs', { body: { name: slug, slug, config: { provider: 'echo' } } }))
        .status;
    const readiness = async (): Promise<{ readonly status: string }> => {
      const answer = await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
      return JSON.parse(await answer.text());
    };

    await server.demote();
    const name = /postgres:\/\/\S+ cannot be used: .*standby\. Name the primary server in the URL of the store\./;
    await expect
      .poll(async () => {
        expect(await save('meanwhile')).toBe(503);
        return readiness();
      }, patience)
      .toMatchObject({ status: 'degraded', store: { status: 'ready', write_failure: expect.stringMatching(name) } });
    expect((await chat(gateway, { key })).status).toBe(200);
    expect(gateway.printed()).not.toContain('error: ');

    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query('select pg_promote()');
    await admin.end();
    await expect.poll(() => save('later'), patience).toBe(200);
    await expect
      .poll(async () => (await control(gateway, 'GET /usage')).summary, { timeout: 60_000 })
      .toMatchObject({ attempts: 2 });
    await expect.poll(async () => (await readiness()).status, patience).toBe('ready');
  },
  120_000,
);
