import type { OfficialClient } from '../../clients/official-client.ts';

/** A vendor's own Python library, which a command installs. */
export interface PythonSdk extends Pick<OfficialClient, 'keyHeaders' | 'writesOut'> {
  /** Its name on PyPI. */
  readonly library: string;
  readonly provider: string;
  /** Packages that it needs but does not install itself, as pip arguments. */
  readonly needs?: readonly string[];
  /** The module in `clients` that uses the library, with a function for each dialect. */
  readonly module: string;
  readonly dialects: readonly string[];
}
