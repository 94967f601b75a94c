import { holdDatabases } from './hold-databases.ts';
import { holdNetwork } from './hold-network.ts';

/** Closes what `--permission` leaves open to the code of a plugin, before any of it runs. */
export const holdProcess = (): void => {
  holdNetwork();
  holdDatabases();
};
