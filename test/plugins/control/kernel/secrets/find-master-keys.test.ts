import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMasterKeys, masterKeyFrom } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { SecretError } from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

const text = (): string => randomBytes(32).toString('base64');

const readIds = async (...found: Parameters<typeof findMasterKeys>): Promise<readonly (string | undefined)[]> => {
  const { masterKey, previousMasterKey } = await findMasterKeys(...found);
  return [masterKey?.id, previousMasterKey?.id];
};

describe('the master keys of a process', () => {
  it('are read from the environment variables or from the files that these name', async () => {
    const [now, before] = [text(), text()];
    const ids = [masterKeyFrom(now).id, masterKeyFrom(before).id];
    const folder = temporaryFolder({ now: `${now}\n`, before });
    // The mode with which secrets are mounted into containers.
    chmodSync(path.join(folder, 'now'), 0o444);
    expect(await readIds({ GW_MASTER_KEY: now, GW_MASTER_KEY_PREVIOUS: before })).toEqual(ids);
    const files = {
      GW_MASTER_KEY_FILE: path.join(folder, 'now'),
      GW_MASTER_KEY_PREVIOUS_FILE: path.join(folder, 'before'),
    };
    expect(await readIds(files)).toEqual(ids);
    expect(await readIds({ GW_MASTER_KEY: now }, path.join(folder, 'own.key'))).toEqual([ids[0], undefined]);
    expect(existsSync(path.join(folder, 'own.key'))).toBe(false);
  });

  it('are read from the store’s own file if the environment has none, and are absent without such a file', async () => {
    const file = path.join(temporaryFolder(), 'gateway.db.key');
    const [made] = await readIds({}, file);
    expect(made).toBeDefined();
    expect(await readIds({}, file)).toEqual([made, undefined]);
    expect(await readIds({})).toEqual([undefined, undefined]);
  });

  it.each([
    [{ GW_MASTER_KEY: 'short' }, /^GW_MASTER_KEY must be 32 bytes .* but it has 5 characters/],
    [{ GW_MASTER_KEY: '' }, /^GW_MASTER_KEY must be 32 bytes .* but it is empty/],
    [{ GW_MASTER_KEY: 'x', GW_MASTER_KEY_FILE: 'x' }, /^Both GW_MASTER_KEY and GW_MASTER_KEY_FILE are set: unset one/],
    [
      { GW_MASTER_KEY_FILE: '/nowhere/key' },
      /^The file that GW_MASTER_KEY_FILE names, \/nowhere\/key, cannot be read: there is no such file/,
    ],
    [
      { GW_MASTER_KEY_FILE: text() },
      /^GW_MASTER_KEY_FILE is a master key itself: write the path of a file that has it\.$/,
    ],
    [{ GW_MASTER_KEY_PREVIOUS: text() }, /^GW_MASTER_KEY_PREVIOUS is set, but GW_MASTER_KEY is not: set both/],
  ])('are refused as %o', async (env, message) => {
    await expect(findMasterKeys(env)).rejects.toThrow(SecretError);
    await expect(findMasterKeys(env)).rejects.toThrow(message);
  });
});
