import type { Environment } from '../../compiler/cli/command-line/services.ts';
import type { LoadedIsolated } from '../../plugins/host/load.ts';
import type { ServeEnvironment } from '../../runtime/cli/services/serve-environment.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';

export interface LoadedEnvironment extends Environment {
  readonly settings: GatewayFile;
  readonly pluginFiles: ServeEnvironment['pluginFiles'];
  readonly sinks?: NonNullable<ServeEnvironment['sinks']>;
  readonly isolated: readonly LoadedIsolated[];
  readonly isolationOwner?: NonNullable<ServeEnvironment['isolationOwner']>;
  readonly prepare: NonNullable<ServeEnvironment['prepare']>;
  readonly diagnose?: NonNullable<ServeEnvironment['diagnose']>;
}
