import type { Asks } from '../clients/official-client.ts';

/** Loads a package from where it was installed. */
export type Load = <Module>(library: string) => Promise<Module>;

/** A vendor's own library that is installed by command. */
export interface VendorSdk {
  /** Its name on npm. */
  readonly library: string;
  readonly provider: string;
  asks(load: Load): Promise<Asks>;
}
