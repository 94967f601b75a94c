import { expect } from 'vitest';
import { type DoctorOptions, type DoctorRun, findingLines, sharedDoctor } from '../../support/commands/run-doctor.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control } from '../../support/gateways/stored-gateway.ts';
import { freePort } from '../../support/servers/free-port.ts';

export const masterKey: string = Buffer.alloc(32, 1).toString('base64');

/** Returns a function that runs `gw doctor` in a folder, with a free port for the gateway of its set-up. */
export const folderDoctor = (): ((folder: string, options?: DoctorOptions) => Promise<DoctorRun>) => {
  const runDoctor = sharedDoctor();
  return async (folder, { env = {}, ...rest } = {}) =>
    runDoctor(folder, { ...rest, env: { PORT: String(await freePort()), ...env } });
};

export const expectOnly = (run: DoctorRun, expected: RegExp): void =>
  expect(findingLines(run)).toEqual([expect.stringMatching(expected)]);

/** Saves a record of each kind that has secrets. */
export const saveSecrets = async (gateway: GatewayProcess): Promise<void> => {
  const credential = { api_key: 'sk-sealed' };
  const save = (path: string, body: object) => control(gateway, `POST /${path}`, { body: { name: 'Main', ...body } });
  await save('providers', { slug: 'main', provider: 'openai', credential });
  await save('integrations', { slug: 'shared', provider: 'openai', credential });
  const checks = [{ id: 'lakera.guard', parameters: { credentials: { apiKey: 'lk-sealed' } } }];
  await save('guardrails', { slug: 'guard', actions: { deny: true }, checks });
  await save('configs', { slug: 'chat', config: { provider: 'openai', ...credential } });
};
