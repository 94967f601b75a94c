import { readFile } from 'node:fs/promises';
import { isMasterKey, type MasterKey, type MasterKeys, masterKeyFrom } from './master-key.ts';
import { ownMasterKey } from './own-master-key.ts';
import { SecretError } from './secret-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const fromFile = async (file: string, name: string): Promise<MasterKey> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (isMasterKey(file))
      throw new SecretError(`${name} is a master key itself: write the path of a file that has it.`);
    throw new SecretError(
      `The file that ${name} names, ${file}, cannot be read (${error.code ?? 'unknown'}): name a file that the gateway can read.`,
    );
  });
  return masterKeyFrom(text, `The master key in ${file}`);
};

/** The key that a variable has, or the file that the variable with `_FILE` after its name names. */
const fromEnvironment = async (env: Environment, name: string): Promise<MasterKey | undefined> => {
  const [text, file] = [env[name], env[`${name}_FILE`]];
  if (text !== undefined && file !== undefined) {
    throw new SecretError(`Both ${name} and ${name}_FILE are set: unset one of them.`);
  }
  if (text !== undefined) return masterKeyFrom(text, name);
  return file === undefined ? undefined : fromFile(file, `${name}_FILE`);
};

/** An environment where the gateway file's master key, if it names one, is in the place of the environment's. */
export const withMasterKey = (env: Environment, masterKey: string | undefined): Environment =>
  masterKey === undefined ? env : { ...env, GW_MASTER_KEY: masterKey, GW_MASTER_KEY_FILE: undefined };

/**
 * The master key of `GW_MASTER_KEY` or of the file that `GW_MASTER_KEY_FILE` names, and the one before it of
 * `GW_MASTER_KEY_PREVIOUS` or `GW_MASTER_KEY_PREVIOUS_FILE`. Where the environment has none, it is that of `ownFile`, which is
 * made if it is not there; without `ownFile` there is none. Rejects with a `SecretError` if a text is no master key or a
 * file cannot be read.
 */
export const findMasterKeys = async (env: Environment, ownFile?: string): Promise<Partial<MasterKeys>> => {
  const masterKey = await fromEnvironment(env, 'GW_MASTER_KEY');
  const previousMasterKey = await fromEnvironment(env, 'GW_MASTER_KEY_PREVIOUS');
  const previous = previousMasterKey === undefined ? {} : { previousMasterKey };
  if (masterKey !== undefined) return { masterKey, ...previous };
  if (ownFile !== undefined) return { ...previous, ...(await ownMasterKey(ownFile)) };
  if (previousMasterKey === undefined) return {};
  throw new SecretError('GW_MASTER_KEY_PREVIOUS is set, but GW_MASTER_KEY is not: set both while the key is rotated.');
};
