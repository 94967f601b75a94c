import type { OfficialClient } from '../../clients/official-client.ts';

/** A vendor's own library of Python that is installed by command. */
export interface PythonSdk extends Pick<OfficialClient, 'keyHeaders' | 'writesOut'> {
  /** Its name on PyPI. */
  readonly library: string;
  readonly provider: string;
  /** Packages that it needs and does not install itself, as pip is given them. */
  readonly needs?: readonly string[];
  /** The module in `clients` that asks through it, with a function for each dialect. */
  readonly module: string;
  readonly dialects: readonly string[];
}
