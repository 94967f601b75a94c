import type { ServeServices } from '../services/serve-services.ts';
import type { SharedParts } from '../services/shared-parts.ts';
import type { ReadEnvironment } from '../settings/read-environment.ts';
import type { ServeOptions } from '../settings/serve-options.ts';

export interface ConfigureServiceOptions {
  readonly options: ServeOptions;
  readonly environment: ReadEnvironment;
  readonly services: ServeServices;
  /** The host that it will listen on. */
  readonly host: string;
  /** The URL or path of the store; absent: there is no control plane. */
  readonly store?: string;
  /** Called when a secret of a file is read that was not before. */
  readonly onSecretFile?: () => void;
  /** For how many milliseconds what waits for receivers may be sent once the gateway closes. */
  readonly closeMs: () => number;
  /** Given to a worker; absent for a gateway of one process. */
  readonly shared?: SharedParts;
}
