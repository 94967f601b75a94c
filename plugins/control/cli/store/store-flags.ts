import type { FlagSpec } from '../../kernel/resource/api-command.ts';

/** The flags of commands that open the store themselves. */
export const storeFlags: { readonly [flag: string]: FlagSpec } = {
  store: {
    type: 'string',
    value: 'FILE|URL',
    describe: 'The SQLite file, or the postgres:// URL. That of the gateway file if absent.',
  },
  config: {
    type: 'string',
    value: 'FILE',
    describe: 'The gateway file that names the store; gateway.json by default, if there is one.',
  },
};
