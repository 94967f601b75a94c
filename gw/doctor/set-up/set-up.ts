import path from 'node:path';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import type { SecretReader } from '../../../runtime/cli/settings/secret-reader.ts';
import type { ServeOptions } from '../../../runtime/cli/settings/serve-options.ts';
import type { PreparedTarget } from '../../../runtime/engine/target/prepared-target.ts';
import type { OwnTarget } from '../../../runtime/model-facts/refresh-lists.ts';
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

/** The plans that a gateway would serve, and the targets of what is saved. */
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

/** Everything that checks look at. What takes time is done once, by the first check that asks. */
export interface SetUp {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: ServeOptions;
  /** The gateway file, absolute; absent where there is none. */
  readonly file?: string;
  readonly text?: string;
  readonly environment: LoadedEnvironment;
  /** Empty without a gateway file, and for one with errors. */
  readonly settings: GatewayFile;
  readonly secrets: SecretReader;
  /** Where the gateway would listen. */
  readonly address: { readonly host: string; readonly port: number };
  /** The store: a path or a URL, which may have a password. Throws a `ServeFailure`. */
  findStore(): string | undefined;
  /** The hosts that may be private. */
  readonly trustedHosts: readonly string[];
  /** The milliseconds that one check may take. */
  readonly timeoutMs: number;
  readonly isOffline: boolean;
  /** Runs when all checks have ended. */
  whenDone(close: () => Promise<void>): void;
  /** Whether a gateway answers already where this one would listen. */
  isRunning(): Promise<boolean>;
  /** The plans of configs and of what is saved. Rejects where the folder of configs cannot be read. */
  plans(): Promise<OwnPlans>;
  /** How the addresses of the plans' targets answer. */
  probes(): Promise<readonly OriginProbe[]>;
}

/** A path of the gateway file, absolute. */
export const besideFile = ({ file, cwd }: Pick<SetUp, 'file' | 'cwd'>, written: string): string =>
  path.resolve(file === undefined ? cwd : path.dirname(file), written);

/** A file as messages name it. */
export const shownFile = ({ cwd }: Pick<SetUp, 'cwd'>, file: string): string => {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
};
