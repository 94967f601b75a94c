import { savedSecrets } from '../../../schema/config/saved.ts';
import { secretProblem } from '../../engine/plan-problems.ts';
import type { ReadEnvironment } from './read-environment.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';

/** Lists the secrets of saved providers and virtual keys that have no value. Secrets that no config names are resolved on use. */
export const unsetSecrets = async (
  environment: Pick<ReadEnvironment, 'saved' | 'file' | 'settings'>,
  read: SecretReader,
): Promise<readonly string[]> => {
  const { providers, virtualKeys } = environment.saved;
  const all = [...Object.values(providers), ...Object.values(virtualKeys)].flatMap(savedSecrets);
  const unset = [...new Set(all.filter(isSecretRef))].filter((ref) => read(ref) === undefined);
  if (unset.length === 0) return [];
  const { placeInGatewayFile } = await import('./secret-place.ts');
  return unset.map((ref) => {
    const place = placeInGatewayFile(ref, environment) ?? environment.file ?? 'The gateway file';
    return `${place}: ${secretProblem(ref)} Requests that need it are refused until then.`;
  });
};
