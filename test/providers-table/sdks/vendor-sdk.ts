import type { Asks, OfficialClient } from '../clients/official-client.ts';

/** Imports a package from the folder in which it was installed. */
export type Load = <Module>(library: string) => Promise<Module>;

/** A vendor's own library, which a command installs. */
export interface VendorSdk extends Pick<OfficialClient, 'keyHeaders' | 'writesOut'> {
  /** Its name on npm. */
  readonly library: string;
  readonly provider: string;
  /** Packages that it needs but does not install itself. */
  readonly needs?: readonly string[];
  asks(load: Load): Promise<Asks>;
}
