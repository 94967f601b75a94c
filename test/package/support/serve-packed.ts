import path from 'node:path';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

export interface PackedStart {
  readonly args?: readonly string[];
  /** Environment variables in addition to PATH. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `gw serve` of the package that is installed in a project, in that project's folder. */
export const servePacked = (project: string, { args = [], env = {} }: PackedStart = {}): Promise<GatewayProcess> =>
  startGateway({
    folder: project,
    command: [path.join(project, 'node_modules/.bin/gw')],
    env: { PATH: cleanEnvironment().PATH ?? '', ...env },
    args,
  });
