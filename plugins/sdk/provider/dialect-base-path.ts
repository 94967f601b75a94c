import { lookUp } from '../../../schema/json/look-up.ts';
import type { Provider } from './provider.ts';

/** Returns the path of a base URL, without a trailing slash. */
const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

/**
 * Returns the path below which the endpoint of a dialect is. `basePath` is the path of the target's base URL, which may be on
 * another host. If it ends like the path of the provider's own base URL, that end is replaced.
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
