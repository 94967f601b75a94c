import path from 'node:path';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';

/** Runs `gw serve` of the package that is installed in a project, there. */
export const servePacked = (project: string, ...args: readonly string[]): Promise<GatewayProcess> =>
  startGateway({
    folder: project,
    command: [path.join(project, 'node_modules/.bin/gw')],
    env: { PATH: cleanEnvironment().PATH ?? '' },
    args,
  });
