import { holdDatabases } from './hold-databases.ts';
import { holdNetwork } from './hold-network.ts';

/** Closes what `--permission` leaves open to a plugin, before any of the plugin's code runs. */
export const holdProcess = (): void => {
  holdNetwork();
  holdDatabases();
};
