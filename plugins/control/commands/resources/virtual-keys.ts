import type { Resource } from '../engine/api-command.ts';
import { destinationCommands } from './destination-commands.ts';

/** `gw virtual-keys`: credentials under a name. */
export const virtualKeys: Resource = {
  name: 'virtual-keys',
  headline: 'Save credentials that requests name.',
  summary: 'Save credentials of providers on a gateway; requests name one in x-gw-virtual-key.',
  commands: destinationCommands({
    path: '/virtual-keys',
    what: 'virtual key',
    named: 'requests name it {slug}',
  }),
};
