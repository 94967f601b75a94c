import { existsSync } from 'node:fs';
import { isSealed } from '../../kernel/secrets/canary.ts';
import {
  findMasterKeys,
  lostKeyText,
  rotateOwnMasterKey,
  withMasterKey,
} from '../../kernel/secrets/find-master-keys.ts';
import { createSealer } from '../../kernel/secrets/sealer.ts';
import { besideStore } from '../../kernel/store/store-url.ts';
import { unusable } from '../command-line/command-failure.ts';
import type { CommandSpec, ControlServices, ExitCode } from '../command-line/services.ts';
import { storeFlags } from './store-flags.ts';
import { type OpenedStore, withStore } from './with-store.ts';

const spec: CommandSpec = {
  name: 'gw keys rotate-master',
  summary: 'Makes another master key the one that the secrets of the store are sealed with.',
  positionals: '',
  takes: { least: 0, most: 0 },
  options: storeFlags,
  notes: [
    'It runs while gateways serve the store, which go on.',
    '',
    'With a key of the environment, or of "store.master_key" in the gateway file: start each gateway with the new key there and',
    'the old one as GW_MASTER_KEY_PREVIOUS (or their _FILE), run this with the same variables, then start them without the old',
    'key.',
    '',
    'With the key of STORE.key, which is beside a SQLite file where there is no other: a new one is made and takes its place.',
    'The gateway reads it by itself.',
    '',
    'Service keys and credentials stay as they are. What was interrupted is taken up by running this again.',
  ].join('\n'),
};

type Rotate = (opened: OpenedStore, services: Pick<ControlServices, 'env' | 'cwd'>) => Promise<string>;

const isSet = (env: ControlServices['env'], name: string): boolean =>
  [name, `${name}_FILE`].some((each) => env[each] !== undefined);

/** With the master key that `name` gives, for people. */
const withGivenKey =
  (name: string): Rotate =>
  async ({ store, at }, { env, cwd }) => {
    const own = besideStore(at, '.key', cwd);
    const from =
      at.kind === 'sqlite' && existsSync(own)
        ? `GW_MASTER_KEY_PREVIOUS to the old key, or GW_MASTER_KEY_PREVIOUS_FILE to ${own}`
        : 'GW_MASTER_KEY_PREVIOUS to the old key';
    if (!isSet(env, 'GW_MASTER_KEY_PREVIOUS'))
      throw unusable(`${name} is set, and the key before it is not.`, `Set ${name} to the new key and ${from}.`);
    const { masterKey, previousMasterKey } = await findMasterKeys(env);
    if (masterKey === undefined) throw unusable(`${name} is not set.`, 'Set it to the new master key.');
    const sealer = await createSealer({ store, masterKey, previousMasterKey });
    await sealer.rotateMaster(masterKey);
    return `The secrets of the store are sealed with ${name}. Start each gateway without GW_MASTER_KEY_PREVIOUS.`;
  };

const withOwnFile: Rotate = async ({ store, at }, { cwd }) => {
  const file = besideStore(at, '.key', cwd);
  if (at.kind === 'sqlite' && !existsSync(file) && (await isSealed(store)))
    throw unusable('There is no master key to rotate.', lostKeyText(file, false));
  if (at.kind !== 'sqlite' || !existsSync(file))
    throw unusable(
      'There is no master key to rotate.',
      'Set GW_MASTER_KEY to the new key and GW_MASTER_KEY_PREVIOUS to the old one.',
    );
  await rotateOwnMasterKey(file, (held) => createSealer({ store, ...held }));
  return `The secrets of the store are sealed with a new key in ${file}. A gateway that serves it reads that key by itself.`;
};

/** As `gw serve` finds its master key. */
const toRotation = (env: ControlServices['env'], configured: string | undefined): Rotate => {
  if (configured !== undefined) return withGivenKey('"store.master_key" of the gateway file');
  const isGiven = isSet(env, 'GW_MASTER_KEY') || isSet(env, 'GW_MASTER_KEY_PREVIOUS');
  return isGiven ? withGivenKey('GW_MASTER_KEY') : withOwnFile;
};

/** `gw keys rotate-master`. */
export const rotateMaster = async (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values } = services.parse(spec, argv);
  if (help) {
    services.out.write(services.help(spec));
    return 0;
  }
  const configured = await services.configuredMasterKey(typeof values.config === 'string' ? values.config : undefined);
  const env = withMasterKey(services.env, configured);
  const rotate = toRotation(services.env, configured);
  const done = await withStore({ services, values, command: spec.name }, (opened) =>
    rotate(opened, { env, cwd: services.cwd }),
  );
  services.out.write(`${done}\n`);
  return 0;
};
