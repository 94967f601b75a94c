import { recoverAdminKey } from '../../access/keys/first-key.ts';
import { besideStore } from '../../kernel/store/store-url.ts';
import type { CommandSpec, ControlServices, ExitCode } from '../command-line/services.ts';
import { writePrivateFile } from './private-file.ts';
import { storeFlags } from './store-flags.ts';
import { withStore } from './with-store.ts';

const spec: CommandSpec = {
  name: 'gw keys create --admin',
  summary: 'Makes an admin key in the store itself, for whoever has lost theirs.',
  positionals: '',
  takes: { least: 0, most: 0 },
  options: { admin: { type: 'boolean', describe: 'Make a key of the organisation with all scopes.' }, ...storeFlags },
  notes: [
    'It asks no gateway: whoever can write to the store can make the key. A gateway that serves the store accepts it within',
    'a second. In a terminal the key is shown, once. Otherwise it is written to STORE.admin-key, which only its owner can read,',
    'and the path is printed.',
  ].join('\n'),
};

/** `gw keys create --admin`. */
export const createAdminKey = async (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values } = services.parse(spec, argv);
  const { out, err, cwd, isTerminal } = services;
  if (help) {
    out.write(services.help(spec));
    return 0;
  }
  return withStore({ services, values, command: spec.name }, async ({ store, at }): Promise<ExitCode> => {
    const make = (): Promise<string> => recoverAdminKey(store, { now: Date.now() });
    if (isTerminal) {
      out.write(`${await make()}\n`);
      err.write('gw: This admin key is not shown again. Send it as x-gw-api-key, or set GW_API_KEY to it.\n');
      return 0;
    }
    const file = besideStore(at, '.admin-key', cwd);
    await writePrivateFile(file, async () => `${await make()}\n`);
    out.write(`${file}\n`);
    return 0;
  });
};
