import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { createRemoteIds } from '../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { allOf, filing, inPieces } from './support/filing.ts';

const about = { purpose: 'batch', filename: 'lines.jsonl' };

onEachStore((newStore) => {
  it('a file exists only for its workspace, in every process of the store', async () => {
    const open = await newStore();
    const [folder, masterKey] = [temporaryFolder(), newMasterKey()];
    const one = await filing({ store: await open(), folder, masterKey });
    const two = await filing({ store: await open(), folder, masterKey });
    const { tenant, other } = one;
    const bytes = randomBytes(100_000);
    const file = await one.files.keep(tenant, { ...about, createdBy: 'a-key' }, inPieces(bytes, 9_999));
    expect(file).toEqual({
      ...about,
      id: expect.stringMatching(/^gw-file-[0-9a-f-]{36}$/),
      ...{
        bytes: 100_000,
        createdAt: one.time.now,
        createdBy: 'a-key',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(await two.files.find(tenant, file.id)).toEqual(file);
    expect(
      (await allOf(two.files.read(tenant, file.id, { from: 5, to: 70_000 }))).equals(bytes.subarray(5, 70_000)),
    ).toBe(true);

    expect(await two.files.find(other, file.id)).toBeUndefined();
    expect(await two.files.find(tenant, `${file.id}\0`)).toBeUndefined();
    expect(await two.files.remove(other, file.id)).toBe(false);
    await expect(allOf(two.files.read(other, file.id))).rejects.toMatchObject({ report: { code: 'not-found' } });
    expect(await two.files.list(other, { limit: 5, order: 'asc' })).toEqual({ files: [], hasMore: false });

    expect(await two.files.remove(tenant, file.id)).toBe(true);
    expect(await one.files.remove(tenant, file.id)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an id that the store cannot contain belongs to nobody', async () => {
    const open = await newStore();
    const remoteIds = createRemoteIds({ store: await open(), now: () => 0 });
    expect(await remoteIds.find('t' as TenantId, 'file', 'file-\0')).toEqual([]);
  });

  it('pages of a list stay correct while files are added and deleted', async () => {
    const { files, tenant } = await filing({ store: await (await newStore())(), folder: temporaryFolder() });
    const keep = (purpose: string) => files.keep(tenant, { ...about, purpose }, inPieces(Buffer.from('x'), 1));
    const made: string[] = [];
    for (const purpose of ['batch', 'evals', 'batch', 'batch']) made.push((await keep(purpose)).id);
    const page = async (after?: string, order: 'asc' | 'desc' = 'asc') => {
      const { files: found, hasMore } = await files.list(tenant, { limit: 2, order, after, purpose: 'batch' });
      return [found.map(({ id }) => made.indexOf(id)), hasMore];
    };
    expect(await page()).toEqual([[0, 2], true]);
    expect(await page(undefined, 'desc')).toEqual([[3, 2], true]);
    await files.remove(tenant, made[2] ?? '');
    made.push((await keep('batch')).id);
    expect(await page(made[2])).toEqual([[3, 4], false]);
    expect(await page(made[2], 'desc')).toEqual([[0], false]);
  });

  it('the quota applies to concurrent uploads in several processes, and is released after a failure', async () => {
    const open = await newStore();
    const [folder, masterKey] = [temporaryFolder(), newMasterKey()];
    const options = { folder, masterKey, maxBytes: 40_000, quotaBytes: 100_000 };
    const processes = [
      await filing({ store: await open(), ...options }),
      await filing({ store: await open(), ...options }),
    ];
    const [{ tenant, files, time }] = processes as [(typeof processes)[0]];
    const upload = async (at: number, expectedBytes?: number): Promise<string> => {
      const incoming = { isLimited: true, expectedBytes };
      const { files: its } = processes[at % 2] ?? { files };
      return (await its.receive(tenant, incoming, inPieces(randomBytes(30_000), 1_000), () => about)).id;
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((at) => upload(at, 30_100)));
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason.report.code] : []));
    expect(refused).toEqual(['file-quota', 'file-quota', 'file-quota']);
    const { files: kept } = await files.list(tenant, { limit: 10, order: 'asc' });
    expect(kept.map(({ bytes }) => bytes)).toEqual([30_000, 30_000, 30_000]);

    await expect(upload(0, 30_100)).rejects.toMatchObject({
      report: { status: 413, message: expect.stringContaining('100000 bytes in total. The others use 90000') },
    });
    await files.remove(tenant, kept[0]?.id ?? '');
    const huge = files.receive(tenant, { isLimited: true }, inPieces(randomBytes(40_001), 1_000), () => about);
    await expect(huge).rejects.toMatchObject({ report: { code: 'file-too-large' } });
    await upload(1);

    const job = await files.keep(tenant, { ...about, purpose: 'batch_output' }, inPieces(randomBytes(30_000), 1_000));
    expect(await files.find(tenant, job.id)).toEqual(job);
    expect(readdirSync(folder)).toHaveLength(4);
    time.now += 86_400_001;
    await files.sweep(() => false);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('the result of a job counts towards the quota when it is complete, but not while it is written', async () => {
    const store = await (await newStore())();
    const { files, tenant } = await filing({ store, folder: temporaryFolder(), maxBytes: 40_000, quotaBytes: 50_000 });
    const { promise: stalled, resolve: goOn } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    async function* result(): AsyncGenerator<Uint8Array, void> {
      yield randomBytes(10_000);
      begun.resolve();
      await stalled;
    }
    const upload = async (bytes: number): Promise<void> => {
      const incoming = { isLimited: true, expectedBytes: bytes };
      await files.receive(tenant, incoming, inPieces(randomBytes(bytes), 1_000), () => about);
    };
    const writing = files.keep(tenant, { ...about, purpose: 'batch_output' }, result());
    await begun.promise;
    await upload(35_000);
    goOn();
    await writing;
    await expect(upload(6_000)).rejects.toMatchObject({ report: { code: 'file-quota' } });
    await upload(5_000);
  });

  it('an unfinished upload is removed after a day, as if its process had ended', async () => {
    const store = await (await newStore())();
    const folder = temporaryFolder();
    const { files, tenant, time } = await filing({ store, folder });
    const { promise: stalled, resolve: goOn } = Promise.withResolvers<void>();
    async function* bytes(): AsyncGenerator<Uint8Array, void> {
      yield randomBytes(200_000);
      await stalled;
    }
    const uploading = files.receive(tenant, { isLimited: true }, bytes(), () => about);
    await expect
      .poll(() => existsSync(folder) && readdirSync(folder))
      .toEqual([expect.stringMatching(/^[0-9a-f]{32}\.part$/)]);
    const rows = async (): Promise<number> => (await store.db.selectFrom('files').select('id').execute()).length;
    await files.sweep(() => false);
    expect([await rows(), readdirSync(folder).length]).toEqual([1, 1]);
    time.now += 86_400_001;
    await files.sweep(() => false);
    expect([await rows(), readdirSync(folder)]).toEqual([0, []]);
    goOn();
    await expect(uploading).rejects.toMatchObject({ name: 'BlobError' });
    expect([await rows(), readdirSync(folder)]).toEqual([0, []]);
  });

  it('a file that a job reads is not removed, even if it has expired', async () => {
    const store = await (await newStore())();
    const { files, tenant, time } = await filing({ store, folder: temporaryFolder() });
    const rows = async (): Promise<number> => (await store.db.selectFrom('files').select('id').execute()).length;
    let reading: readonly string[] = ['the batch gw-batch-1'];
    files.registerUses(async (of: TenantId, id) => (of === tenant && id === file.id ? reading : []));
    const file = await files.keep(tenant, { ...about, keepMs: 3_600_000 }, inPieces(Buffer.from('x'), 1));
    expect(file.expiresAt).toBe(time.now + 3_600_000);
    await expect(files.remove(tenant, file.id)).rejects.toMatchObject({
      report: {
        status: 409,
        message: expect.stringContaining('cannot be deleted while the batch gw-batch-1 reads it'),
      },
    });
    time.now += 3_600_000;
    expect(await files.find(tenant, file.id)).toBeUndefined();
    await files.sweep(() => false);
    expect(await rows()).toBe(1);
    expect(String(await allOf(files.read(tenant, file.id)))).toBe('x');
    reading = [];
    await files.sweep(() => false);
    expect(await rows()).toBe(0);
    await expect(allOf(files.read(tenant, file.id))).rejects.toMatchObject({ report: { code: 'not-found' } });
  });
});
