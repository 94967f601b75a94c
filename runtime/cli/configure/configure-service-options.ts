import type { ServeServices } from '../services/serve-services.ts';
import type { SharedParts } from '../services/shared-parts.ts';
import type { ReadEnvironment } from '../settings/read-environment.ts';
import type { ServeOptions } from '../settings/serve-options.ts';

export interface ConfigureServiceOptions {
  readonly options: ServeOptions;
  readonly environment: ReadEnvironment;
  readonly services: ServeServices;
  /** The host that the gateway will listen on. */
  readonly host: string;
  /** The URL or path of the store. If absent, there is no control plane. */
  readonly store?: string;
  /** Called when a secret is read from a file for the first time. */
  readonly onSecretFile?: () => void;
  /** How long queued messages may still be sent once the gateway closes, in milliseconds. */
  readonly closeMs: () => number;
  /** Set for a worker. Absent for a gateway of one process. */
  readonly shared?: SharedParts;
}
