import type { Asks, OfficialClient } from '../clients/official-client.ts';

/** Loads a package from where it was installed. */
export type Load = <Module>(library: string) => Promise<Module>;

/** A vendor's own library that is installed by command. */
export interface VendorSdk extends Pick<OfficialClient, 'keyHeaders' | 'writesOut'> {
  /** Its name on npm. */
  readonly library: string;
  readonly provider: string;
  /** Packages that it needs and does not install itself. */
  readonly needs?: readonly string[];
  asks(load: Load): Promise<Asks>;
}
