import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { fromGatewayFile } from './from-gateway-file.ts';

export const configuredStore = (io: CommandIo, given: string | undefined): Promise<string | undefined> =>
  fromGatewayFile(io, given, {
    wanted: 'where its store is',
    otherwise: ', or set the store with --store',
    async read(from, secrets) {
      const { findStore } = await import('../runtime/cli/settings/control-settings.ts');
      return findStore({ open: false, help: false }, from, { cwd: io.cwd, read: secrets });
    },
  });

export const configuredMasterKey = (io: CommandIo, given: string | undefined): Promise<string | undefined> =>
  fromGatewayFile(io, given, {
    wanted: 'what its master key is',
    otherwise: '',
    async read({ settings }, secrets) {
      const { findMasterKey } = await import('../runtime/cli/settings/control-settings.ts');
      return findMasterKey(settings, secrets);
    },
  });
