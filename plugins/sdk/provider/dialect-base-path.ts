import { lookUp } from '../../../schema/json/look-up.ts';
import type { Provider } from './provider.ts';

/** The path of a base URL, without a slash at its end. */
const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

/**
 * The path that the endpoint of a dialect is below. `basePath` is that of the target's base URL, which may be another
 * host's: where it ends like the provider's own, that end is replaced.
 */
export const dialectBasePath = (
  { basePaths = {}, baseUrl }: Pick<Provider, 'basePaths' | 'baseUrl'>,
  dialect: string,
  basePath: string,
): string => {
  const own = lookUp(basePaths, dialect);
  if (own === undefined) return basePath;
  const usual = typeof baseUrl === 'string' ? pathOf(baseUrl) : '';
  return (basePath.endsWith(usual) ? basePath.slice(0, basePath.length - usual.length) : basePath) + own;
};
