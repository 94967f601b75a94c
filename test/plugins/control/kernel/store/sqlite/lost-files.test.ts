import { copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../../../plugins/control/kernel/store/open/open-store.ts';
import { findStoreFile } from '../../../../../../plugins/control/kernel/store/sqlite/store-file.ts';
import { StoreError } from '../../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../../support/commands/temporary-folder.ts';

const newFile = (): string => path.join(temporaryFolder(), 'gateway.db');

describe('a store', () => {
  it.each([
    ['not there', () => {}],
    ['empty', (file: string) => writeFileSync(file, '')],
  ])('that is %s beside a -wal with its changes is refused, and the -wal is kept', async (what, lose) => {
    const [source, file] = [newFile(), newFile()];
    const store = await openStore({ url: source });
    copyFileSync(`${source}-wal`, `${file}-wal`);
    await store.close();
    lose(file);
    const changes = readFileSync(`${file}-wal`);
    // It is what gw doctor asks before it opens a store.
    expect(() => findStoreFile(file)).toThrow(StoreError);
    expect(findStoreFile(file, { isLog: true })).toBe(file);
    await expect(openStore({ url: file })).rejects.toThrow(
      new StoreError(
        `The file ${file}-wal has changes of the store ${file}, which is ${what}, and they would be deleted. Put the store back, restore a backup, or, to start with a new one, move ${file}-wal away.`,
      ),
    );
    expect(readFileSync(`${file}-wal`).equals(changes)).toBe(true);
    rmSync(`${file}-wal`);
    await (await openStore({ url: file })).close();
  });

  it('that has two names is refused until one is removed', async () => {
    const [file, other] = [newFile(), newFile()];
    await (await openStore({ url: file })).close();
    linkSync(file, other);
    for (const name of [file, other])
      await expect(openStore({ url: name })).rejects.toThrow(
        new StoreError(
          `The file ${name} has 2 names (hard links), and programs that open it by different ones would damage it. Remove the other names, which \`find -samefile\` lists, or name a copy of the file.`,
        ),
      );
    rmSync(other);
    await (await openStore({ url: file })).close();
  });
});
