import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { fromJson } from '../../../schema/json/from-json.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, control, serveStore } from '../../support/gateways/stored-gateway.ts';

/** Requests that need the settings of their workspace or organisation, as method and path, with their bodies. */
const asked: readonly (readonly [string, object?])[] = [
  ['POST /chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }],
  ['POST /responses', { model: 'm', input: 'Hi' }],
  ['POST /embeddings', { model: 'm', input: 'Hi' }],
  ['POST /batches', { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' }],
  ['GET /batches'],
  ['GET /batches/batch_1'],
  ['POST /batches/batch_1/cancel'],
  ['GET /batches/batch_1/output'],
  ['POST /fine_tuning/jobs', { model: 'm', training_file: 'file-1', suffix: 'ours', method: { type: 'supervised' } }],
  ['GET /fine_tuning/jobs'],
  ['GET /fine_tuning/jobs/ftjob-1'],
  ['GET /fine_tuning/jobs/ftjob-1/events'],
  ['GET /fine_tuning/jobs/ftjob-1/checkpoints'],
  ['POST /fine_tuning/jobs/ftjob-1/cancel'],
  ['GET /files'],
  ['GET /files/file-1'],
  ['GET /files/file-1/content'],
  ['DELETE /files/file-1'],
  ['GET /models'],
  ['POST /configs', { name: 'New', config: { retry: { attempts: 1 } } }],
  ['DELETE /configs/saved'],
  ['POST /virtual-models', { name: 'quick', target: 'config:saved' }],
];

describe('damaged settings', () => {
  it.each([
    ['organisations', ['GET /organisation', 'PUT /organisation']],
    ['workspaces', ['GET /workspaces', 'GET /workspaces/default', 'PUT /workspaces/default']],
  ])('of %s are reported in the answer to each request that needs them', async (table, own) => {
    const folder = temporaryFolder();
    const first = await serveStore('gateway.db', { folder });
    await control(first, 'POST /providers', { body: { name: 'main', slug: 'main', provider: 'echo' } });
    await control(first, 'POST /configs', { body: { name: 'saved', slug: 'saved', config: { provider: 'echo' } } });
    first.signal('SIGTERM');
    await first.exited;
    const db = new DatabaseSync(path.join(folder, 'gateway.db'));
    db.exec(`UPDATE ${table} SET settings = '5'`);
    const id = String(db.prepare(`SELECT id FROM ${table}`).get()?.id);
    db.close();
    const gateway = await serveStore('gateway.db', { folder });
    const headers = { 'x-gw-api-key': adminKey, 'x-gw-virtual-key': 'main', 'content-type': 'application/json' };
    for (const [route, body] of [...asked, ...own.map((route) => [route, { name: 'Ours' }] as const)]) {
      const [method = '', at = ''] = route.split(' ');
      const answer = await fetch(`${gateway.baseUrl}${at}`, {
        ...{ method, headers, ...(body && method !== 'GET' && { body: JSON.stringify(body) }) },
      });
      const { error }: { error?: { code: string; message: string } } = fromJson(await answer.text());
      expect([route, answer.status, error?.code]).toEqual([route, 500, 'unreadable-record']);
      expect(error?.message).toContain(id);
    }
    await gateway.stop();
  });
});
