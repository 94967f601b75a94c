import path from 'node:path';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import type { SecretReader } from '../../../runtime/cli/settings/secret-reader.ts';
import type { ServeOptions } from '../../../runtime/cli/settings/serve-options.ts';
import type { PreparedTarget } from '../../../runtime/engine/target/prepared-target.ts';
import type { OwnTarget } from '../../../runtime/model-catalogue/refresh-lists.ts';
import type { SavedTls } from '../../../schema/config/saved-tls.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { LoadedEnvironment } from '../../environment/loaded-environment.ts';

/** A file with a config or a plan, as the gateway would load it. */
export interface OwnFile {
  readonly file: string;
  readonly text?: string;
  readonly plan?: RoutingPlan;
  readonly diagnostics: readonly Diagnostic[];
  /** Why it cannot be read, and what to do. */
  readonly unreadable?: string;
}

/** The plans that a gateway would serve, and the targets of its saved records. */
export interface OwnPlans {
  readonly files: readonly OwnFile[];
  readonly targets: readonly OwnTarget[];
}

/** A target as the gateway would call it. */
export interface ProbedTarget {
  /** `@slug`, or the id of a provider. */
  readonly name: string;
  readonly prepared: PreparedTarget;
  /** The TLS settings that it is called with. */
  readonly tls?: SavedTls | undefined;
}

/** How an origin answers a request without a credential. */
export type OriginAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: RawHeaders; readonly clockMs: number }
  /** The error of the connection, or of the request. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'silent' };

export interface OriginProbe {
  readonly origin: string;
  /** `host[:port]`. */
  readonly host: string;
  readonly targets: readonly ProbedTarget[];
  readonly answer: OriginAnswer;
}

/**
 * `answers`: a gateway answers there. `silent`: a server there does not answer in time, which may be a gateway that is busy or
 * stopped. `absent`: there is no gateway.
 */
export type GatewayState = 'answers' | 'silent' | 'absent';

/** Everything that checks can examine. Slow work is done once, by the first check that needs it. */
export interface SetUp {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: ServeOptions;
  /** The absolute path of the gateway file; absent if there is none. */
  readonly file?: string;
  readonly text?: string;
  readonly environment: LoadedEnvironment;
  /** Empty without a gateway file, or if it has errors. */
  readonly settings: GatewayFile;
  readonly secrets: SecretReader;
  /** Where the gateway would listen. */
  readonly address: { readonly host: string; readonly port: number };
  /** Returns the store: a path or a URL, which may contain a password. Throws a `ServeFailure`. */
  findStore(): string | undefined;
  /** The hosts that may be private. */
  readonly trustedHosts: readonly string[];
  /** How many milliseconds each service that is called may take. */
  readonly timeoutMs: number;
  readonly isOffline: boolean;
  /** Calls `close` when all checks have ended. */
  whenDone(close: () => Promise<void>): void;
  /** Returns the state of a gateway at the address where this one would listen. */
  gateway(): Promise<GatewayState>;
  /** Returns the plans of configs and of saved records. Rejects if the folder of configs cannot be read. */
  plans(): Promise<OwnPlans>;
  /** Returns how the addresses of the plans' targets answer. */
  probes(): Promise<readonly OriginProbe[]>;
}

/** Returns a path of the gateway file as an absolute path. */
export const besideFile = ({ file, cwd }: Pick<SetUp, 'file' | 'cwd'>, written: string): string =>
  path.resolve(file === undefined ? cwd : path.dirname(file), written);

/** Returns the name of a file in messages. */
export const shownFile = ({ cwd }: Pick<SetUp, 'cwd'>, file: string): string => {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
};
