import { existsSync } from 'node:fs';
import { findMasterKeys } from '../../secrets/find-master-keys.ts';
import { ownMasterKey, rotateOwnMasterKey } from '../../secrets/own-master-key.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { besideStore } from '../../store/beside-store.ts';
import { unusable } from '../command-failure.ts';
import type { CommandSpec, ControlServices, ExitCode } from '../services.ts';
import { storeFlags } from './store-flags.ts';
import { type OpenedStore, withStore } from './with-store.ts';

const spec: CommandSpec = {
  name: 'gw keys rotate-master',
  summary: 'Makes another master key the one that the secrets of the store are sealed with.',
  positionals: '',
  takes: { least: 0, most: 0 },
  options: storeFlags,
  notes: [
    'With a key of the environment: start each gateway with the new key as GW_MASTER_KEY and the old one as',
    'GW_MASTER_KEY_PREVIOUS (or their _FILE), run this with the same variables, then start them without the old key.',
    '',
    'With the key of STORE.key, which is beside a SQLite file where the environment has none: a new one is made and takes its',
    'place. Then start the gateway again.',
    '',
    'Service keys and credentials stay as they are. What was interrupted is taken up by running this again.',
  ].join('\n'),
};

type Rotate = (opened: OpenedStore, services: ControlServices) => Promise<string>;

const isSet = (env: ControlServices['env'], name: string): boolean =>
  [name, `${name}_FILE`].some((each) => env[each] !== undefined);

const withEnvironment: Rotate = async ({ store, at }, { env, cwd }) => {
  const own = besideStore(at, '.key', cwd);
  const from =
    at.kind === 'sqlite' && existsSync(own)
      ? `GW_MASTER_KEY_PREVIOUS to the old key, or GW_MASTER_KEY_PREVIOUS_FILE to ${own}`
      : 'GW_MASTER_KEY_PREVIOUS to the old key';
  if (!isSet(env, 'GW_MASTER_KEY_PREVIOUS'))
    throw unusable(
      'GW_MASTER_KEY is set, and the key before it is not.',
      `Set GW_MASTER_KEY to the new key and ${from}.`,
    );
  const { masterKey, previousMasterKey } = await findMasterKeys(env);
  if (masterKey === undefined) throw unusable('GW_MASTER_KEY is not set.', 'Set it to the new master key.');
  const sealer = await createSealer({ store, masterKey, previousMasterKey });
  await sealer.rotateMaster(masterKey);
  return 'The secrets of the store are sealed with GW_MASTER_KEY. Start each gateway without GW_MASTER_KEY_PREVIOUS.';
};

const withOwnFile: Rotate = async ({ store, at }, { cwd }) => {
  const file = besideStore(at, '.key', cwd);
  if (at.kind !== 'sqlite' || !existsSync(file))
    throw unusable(
      'There is no master key to rotate.',
      'Set GW_MASTER_KEY to the new key and GW_MASTER_KEY_PREVIOUS to the old one.',
    );
  const sealer = await createSealer({ store, ...(await ownMasterKey(file)) });
  await rotateOwnMasterKey(file, (next) => sealer.rotateMaster(next));
  return `The secrets of the store are sealed with a new key in ${file}. Start the gateway that serves it again, so that it has that key.`;
};

/** `gw keys rotate-master`. */
export const rotateMaster = async (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values } = services.parse(spec, argv);
  if (help) {
    services.out.write(services.help(spec));
    return 0;
  }
  const { env } = services;
  const rotate = isSet(env, 'GW_MASTER_KEY') || isSet(env, 'GW_MASTER_KEY_PREVIOUS') ? withEnvironment : withOwnFile;
  const done = await withStore({ services, values, command: spec.name }, (opened) => rotate(opened, services));
  services.out.write(`${done}\n`);
  return 0;
};
