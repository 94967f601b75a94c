import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  type MasterKey,
  newMasterKey,
  ownMasterKey,
  rotateOwnMasterKey,
} from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { SecretError } from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { newSqliteStore } from './each-store.ts';

const run = promisify(execFile);
const newFile = (): string => path.join(temporaryFolder(), 'gateway.db.key');

const idsIn = async (file: string): Promise<readonly (string | undefined)[]> => {
  const { masterKey, previousMasterKey } = await ownMasterKey(file);
  return [masterKey.id, previousMasterKey?.id];
};

describe('the master key in a store’s own file', () => {
  it('is created on first use, readable only by its owner, and read afterwards', async () => {
    const file = newFile();
    const { masterKey } = await ownMasterKey(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await idsIn(file)).toEqual([masterKey.id, undefined]);
    expect(readdirSync(path.dirname(file))).toEqual(['gateway.db.key']);
  });

  it('is created once when many processes start at the same time', async () => {
    const file = newFile();
    const module = new URL('../../../../../plugins/control/kernel/secrets/master-key.ts', import.meta.url).href;
    const script = `const { ownMasterKey } = await import(${JSON.stringify(module)});
      const made = await Promise.all([1, 2, 3, 4].map(() => ownMasterKey(${JSON.stringify(file)})));
      console.log(made.map(({ masterKey }) => masterKey.id).join(' '));`;
    const starts = Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script]));
    const ids = (await Promise.all(starts)).flatMap(({ stdout }) => stdout.trim().split(' '));
    expect(ids).toHaveLength(16);
    expect(new Set(ids)).toEqual(new Set([(await ownMasterKey(file)).masterKey.id]));
    expect(readdirSync(path.dirname(file))).toEqual(['gateway.db.key']);
  });

  it.each([0o640, 0o604, 0o620, 0o601])('is refused if the mode of its file is %o', async (mode) => {
    const file = newFile();
    await ownMasterKey(file);
    chmodSync(file, mode);
    await expect(ownMasterKey(file)).rejects.toThrow(
      new SecretError(
        `The master key in ${file} can be read by users other than the owner of the file: run \`chmod 600 ${file}\`, and rotate the key if they may have read it.`,
      ),
    );
  });

  it('is refused if the file contains another text, which the message does not repeat', async () => {
    const file = newFile();
    writeFileSync(file, 'my secret', { mode: 0o600 });
    await expect(ownMasterKey(file)).rejects.toThrow(
      new SecretError(
        `The master key in ${file} must be 32 bytes as base64 or base64url (43 or 44 characters) or as 64 hexadecimal digits, but it has 9 characters: create one with \`openssl rand -base64 32\`.`,
      ),
    );
  });

  it('cannot be created in a folder that does not exist, or read if its file is a folder', async () => {
    const folder = temporaryFolder();
    await expect(ownMasterKey(path.join(folder, 'none', 'x.key'))).rejects.toThrow(
      `The master key in ${path.join(folder, 'none', 'x.key')} cannot be written: there is no such file or folder. Correct its name, or make its folder. Or set GW_MASTER_KEY.`,
    );
    chmodSync(folder, 0o700);
    await expect(ownMasterKey(folder)).rejects.toThrow(
      `The master key in ${folder} cannot be read: it is a folder. Name a file, or put one in its place. Or set GW_MASTER_KEY.`,
    );
  });
});

const rotatingBy = (rotateMaster: (next: MasterKey) => Promise<void>) => async () => ({ rotateMaster });

describe('the rotation of the master key in such a file', () => {
  it('leaves only the new key in the file, which opens the secrets of the store', async () => {
    const file = newFile();
    const store = await newSqliteStore()();
    const at = { tenant: 'a', table: 'providers', id: '1', field: 'credential' };
    const before = await ownMasterKey(file);
    const sealer = await createSealer({ store, ...before });
    const sealed = await sealer.seal('sk-1', at);
    await rotateOwnMasterKey(file, async (held) => {
      expect(held).toEqual(before);
      return sealer;
    });
    const after = await ownMasterKey(file);
    expect(after.masterKey.id).not.toBe(before.masterKey.id);
    expect(after.previousMasterKey).toBeUndefined();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await (await createSealer({ store, ...after })).open(sealed, at)).toBe('sk-1');
  });

  it('keeps both keys in the file while it runs, and resumes with the same keys after an interruption', async () => {
    const file = newFile();
    const { masterKey } = await ownMasterKey(file);
    writeFileSync(`${file}.${randomUUID()}`, 'left by a process that was killed');
    let asked = newMasterKey();
    await expect(
      rotateOwnMasterKey(
        file,
        rotatingBy(async (next) => {
          asked = next;
          expect(await idsIn(file)).toEqual([next.id, masterKey.id]);
          throw new Error('interrupted');
        }),
      ),
    ).rejects.toThrow('interrupted');
    expect(await idsIn(file)).toEqual([asked.id, masterKey.id]);
    await rotateOwnMasterKey(
      file,
      rotatingBy(async (next) => expect(next.id).toBe(asked.id)),
    );
    expect(await idsIn(file)).toEqual([asked.id, undefined]);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(readdirSync(path.dirname(file)).toSorted()).toEqual(['gateway.db.key', 'gateway.db.key.lock']);
  });

  it('is refused while another one runs, and leaves the file as it is if its keys do not match the store', async () => {
    const file = newFile();
    const { masterKey } = await ownMasterKey(file);
    const none = rotatingBy(() => expect.unreachable());
    await rotateOwnMasterKey(
      file,
      rotatingBy(() => expect(rotateOwnMasterKey(file, none)).rejects.toThrow('is being rotated by another process')),
    );
    const [rotated] = await idsIn(file);
    expect(rotated).not.toBe(masterKey.id);
    const store = await newSqliteStore()();
    await createSealer({ store, masterKey: newMasterKey() });
    await expect(rotateOwnMasterKey(file, (held) => createSealer({ store, ...held }))).rejects.toThrow(
      'a different master key',
    );
    expect(await idsIn(file)).toEqual([rotated, undefined]);
  });
});
