import path from 'node:path';
import type { CommandSpec, ControlServices, ExitCode } from '../command-line/services.ts';
import { storeFlags } from './store-flags.ts';
import { withStore } from './with-store.ts';

const spec: CommandSpec = {
  name: 'gw backup',
  summary: 'Copies the store of SQLite to a file, also while a gateway serves it.',
  positionals: 'FILE',
  takes: { least: 1, most: 1 },
  options: storeFlags,
  notes: [
    'FILE must not be there yet. It is one moment of the store, without the keys that its secrets are sealed with: whoever has',
    'only the copy cannot read them. Keep the store itself, or save credentials again after a backup was restored.',
    '',
    'A store in PostgreSQL is copied with pg_dump.',
  ].join('\n'),
};

/** `gw backup`. */
export const backup = async (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values, positionals } = services.parse(spec, argv);
  const [file] = positionals;
  if (help || file === undefined) {
    services.out.write(services.help(spec));
    return 0;
  }
  const target = path.resolve(services.cwd, file);
  await withStore({ services, values, command: spec.name }, ({ store }) => store.backup(target));
  services.out.write(`${file} has a copy of the store, without the keys that its secrets are sealed with.\n`);
  return 0;
};
