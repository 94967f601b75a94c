import { loadOwnModule } from '../sdk/loading/own-module.ts';
import { lateProvider } from '../sdk/provider/late-provider.ts';
import type { Provider } from '../sdk/provider/provider.ts';
import { type LateName, lateNames } from './late-names.ts';
import { ownProtocols } from './own-protocols.ts';

/** Loads a row, which is the only export of its file. */
const loadRow = ({ id, file }: LateName): Provider => {
  const [row] = Object.values(loadOwnModule(`plugins/providers/${file}`)) as Provider[];
  if (row?.id !== id) throw new RangeError(`plugins/providers/${file} does not have the row "${id}".`);
  return row;
};

/** The same providers as `builtinProviders`, for a running gateway, which usually needs few of the rows. */
export const lazyProviders: readonly Provider[] = [
  ...ownProtocols,
  ...lateNames.map(({ file, ...names }) => lateProvider({ ...names, load: () => loadRow({ ...names, file }) })),
];
