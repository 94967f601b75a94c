import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BlobRef, chunkBytes } from '../../../../../plugins/control/kernel/blobs/blobs.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { allOf, type Filing, filing, inPieces } from '../../work/files/support/filing.ts';

const sealedChunk = chunkBytes + 28;
const sizes = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 200_000];
const damaged = { name: 'BlobError', error: 'damaged' };

const world = async (): Promise<Filing & AsyncDisposable & { readonly folder: string }> => {
  const opened = await temporaryStore();
  const folder = path.join(temporaryFolder(), 'files');
  return {
    ...(await filing({ store: opened.store, folder })),
    folder,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
};

it('bytes of any length are read as they were written, in pieces of any size', async () => {
  await using here = await world();
  for (const [at, size] of sizes.entries()) {
    const bytes = randomBytes(size);
    const ref = await here.blobs.write(here, inPieces(bytes, [1_000, 65_536, 1_000_000][at % 3] ?? 1));
    expect(ref.bytes).toBe(size);
    expect((await allOf(here.blobs.read(ref))).equals(bytes)).toBe(true);
  }
});

it('any range of bytes can be read, and only its chunks are read for that', async () => {
  const reads: number[] = [];
  const opened = await temporaryStore();
  const { blobs, tenant } = await filing({
    store: opened.store,
    folder: temporaryFolder(),
    storage: (inner) => ({
      ...inner,
      read(id, range) {
        reads.push(range.to - range.from);
        return inner.read(id, range);
      },
    }),
  });
  await using _ = opened;
  const bytes = randomBytes(5 * chunkBytes + 17);
  const ref = await blobs.write({ tenant }, inPieces(bytes, 70_000));
  const place = fc.oneof(
    fc.nat(bytes.length),
    fc.nat(5).map((n) => n * chunkBytes),
  );
  await fc.assert(
    fc.asyncProperty(place, place, async (a, b) => {
      const range = { from: Math.min(a, b), to: Math.max(a, b) };
      reads.length = 0;
      expect((await allOf(blobs.read(ref, range))).equals(bytes.subarray(range.from, range.to))).toBe(true);
      const chunks = Math.ceil((range.to - range.from) / chunkBytes) + 1;
      expect(reads.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(chunks * sealedChunk);
    }),
    { numRuns: 200 },
  );
});

it('neither contents nor names can be read in the folder, which is accessible only to its user', async () => {
  await using here = await world();
  const ref = await here.blobs.write(here, inPieces(Buffer.from('the secret of the file'.repeat(5_000)), 1_000));
  const [name = '', ...others] = readdirSync(here.folder);
  expect([name, others]).toEqual([ref.id, []]);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  const file = path.join(here.folder, name);
  expect(readFileSync(file).includes('secret')).toBe(false);
  expect([statSync(here.folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('bytes that were changed, cut off, added, moved or taken from another blob are detected', async () => {
  await using here = await world();
  const { blobs, folder } = here;
  const write = (size: number): Promise<BlobRef> => blobs.write(here, inPieces(randomBytes(size), 100_000));
  const [ref, other] = [await write(3 * chunkBytes + 100), await write(3 * chunkBytes + 100)];
  const file = path.join(folder, ref.id);
  const sealed = readFileSync(file);
  const chunk = (at: number, of = sealed): Buffer => of.subarray(at * sealedChunk, (at + 1) * sealedChunk);
  const flipped = Buffer.from(sealed);
  flipped[sealedChunk + 500] = (flipped[sealedChunk + 500] ?? 0) ^ 1;
  const elsewhere = readFileSync(path.join(folder, other.id));
  const changes: Readonly<Record<string, Buffer>> = {
    'a bit': flipped,
    'the last chunk missing': sealed.subarray(0, 3 * sealedChunk),
    'the end missing': sealed.subarray(0, sealed.length - 1),
    'a chunk missing': Buffer.concat([chunk(0), chunk(2), chunk(3)]),
    'two chunks swapped': Buffer.concat([chunk(1), chunk(0), chunk(2), chunk(3)]),
    'a chunk twice': Buffer.concat([chunk(0), chunk(0), chunk(2), chunk(3)]),
    'a chunk of another': Buffer.concat([chunk(0), chunk(1, elsewhere), chunk(2), chunk(3)]),
    'all of another': elsewhere,
    nothing: Buffer.alloc(0),
  };
  for (const [change, bytes] of Object.entries(changes)) {
    writeFileSync(file, bytes);
    await expect(allOf(blobs.read(ref)), change).rejects.toMatchObject(damaged);
  }
  writeFileSync(file, sealed);
  await expect(allOf(blobs.read({ ...ref, bytes: 3 * chunkBytes })), 'fewer bytes').rejects.toMatchObject(damaged);
  await expect(allOf(blobs.read({ ...ref, sha256: other.sha256 })), 'a checksum').rejects.toMatchObject(damaged);
  await expect(allOf(blobs.read({ ...ref, tenant: 'other' })), 'a tenant').rejects.toMatchObject({
    name: 'SecretError',
  });
  expect(await allOf(blobs.read(ref))).toHaveLength(ref.bytes);
  rmSync(file);
  await expect(allOf(blobs.read(ref)), 'a file').rejects.toMatchObject(damaged);
});

it('nothing is left if the bytes break off', async () => {
  await using here = await world();
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield randomBytes(300_000);
    throw new Error('The client left.');
  }
  await expect(here.blobs.write(here, broken())).rejects.toThrow('The client left.');
  expect(readdirSync(here.folder)).toEqual([]);
});

it('a provisional blob is removed after a day, unless it is kept', async () => {
  const opened = await temporaryStore();
  await using _ = opened;
  const folder = temporaryFolder();
  const { blobs, tenant, time } = await filing({ store: opened.store, folder });
  const write = (isProvisional: boolean): Promise<BlobRef> =>
    blobs.write({ tenant, isProvisional }, inPieces(Buffer.from('x'), 1));
  const [kept, left, plain, dropped, removed] = await Promise.all([true, true, false, true, false].map(write));
  if (!kept || !left || !plain || !dropped || !removed) throw new Error('Nothing was written.');
  await opened.store.write((writing) => blobs.keep(writing, kept));
  await opened.store.write((writing) => blobs.keep(writing, dropped));
  await opened.store.write((writing) => blobs.drop(writing, dropped));
  await blobs.remove(removed);
  await blobs.sweep(() => false);
  expect(readdirSync(folder).sort()).toEqual([kept.id, left.id, plain.id].sort());
  time.now += 86_400_001;
  await blobs.sweep(() => false);
  expect(readdirSync(folder).sort()).toEqual([kept.id, plain.id].sort());
});

it('the blobs of a workspace are removed with it', async () => {
  const opened = await temporaryStore();
  await using _ = opened;
  const folder = temporaryFolder();
  const { blobs, other, tenant } = await filing({ store: opened.store, folder });
  const stays = await blobs.write({ tenant }, inPieces(Buffer.from('x'), 1));
  await blobs.write({ tenant: other }, inPieces(Buffer.from('x'), 1));
  await opened.store.write((writing) => writing.deleteFrom('workspaces').where('id', '=', other).execute());
  await blobs.sweep(() => false);
  expect(readdirSync(folder)).toEqual([stays.id]);
});
