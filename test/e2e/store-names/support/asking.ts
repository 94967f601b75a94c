import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

/**
 * Sets a gateway and a key for the commands of a test, and a home folder without profiles, so that nothing else names a
 * gateway.
 */
export const useGateway = (variables: { readonly GW_URL?: string; readonly GW_API_KEY?: string }): void => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GW_')) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ HOME: temporaryFolder(), ...variables })) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
};
