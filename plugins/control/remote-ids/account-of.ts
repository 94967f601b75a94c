import { hashOf } from '../../../schema/canonical.ts';
import { headerValue } from '../../sdk/http.ts';
import type { RouteContext } from '../../sdk/route-row.ts';

/** The JSON of a config, or the name of one. */
const configLabel = (config: string): string => (/^\s*[{["]/.test(config) ? hashOf(config) : config.trim());

/**
 * The account of a provider that a request reaches with a credential of the gateway's, as `RemoteId.slug` names it: the slug of
 * a saved provider or virtual key; `config:` and more where a config decides, since one may name several. Undefined where
 * callers use a credential of their own, and for keys of the gateway file, which are in no workspace.
 */
export const accountOf = ({ headers, principal }: Pick<RouteContext, 'headers' | 'principal'>): string | undefined => {
  const { organisation, defaults } = principal;
  if (organisation === undefined) return undefined;
  const provider = headerValue(headers, 'x-gw-provider');
  const isForced = defaults?.config !== undefined && defaults.allowConfigOverride === false;
  const config = isForced ? defaults.config : headerValue(headers, 'x-gw-config');
  const slug = headerValue(headers, 'x-gw-virtual-key') ?? (provider?.startsWith('@') ? provider.slice(1) : undefined);
  if (config !== undefined) return `config:${configLabel(config)}${slug === undefined ? '' : ` ${slug}`}`;
  if (slug !== undefined) return slug;
  return provider === undefined ? `config:${defaults?.config ?? ''}` : undefined;
};
