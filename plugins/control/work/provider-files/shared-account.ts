import type { Saved, SavedProvider } from '../../../../schema/config/saved.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import { withoutNames } from '../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { namedAccount } from '../accounts/named-account.ts';

/** An account that workspaces may share, since its credential is the gateway's. */
export interface SharedAccount {
  /** As `RemoteId.slug` has it: of a saved provider or virtual key; `config:` and more where a config decides. */
  readonly slug: string;
  /** The name of what is saved, where no config decides. */
  readonly name?: string;
  /** What is saved of it, where no config decides. */
  readonly saved?: SavedProvider;
  /** The headers of the request, as the data path takes them. */
  readonly headers: RawHeaders;
}

type Asking = Pick<RouteContext, 'headers' | 'principal'>;

/** The JSON of a config, or the name of one. */
const configLabel = (config: string): string => (/^\s*[{["]/.test(config) ? hashValue(config) : config.trim());

/** The name of what is saved that a request names, and the header that does. */
const savedName = (headers: RawHeaders): { readonly header: string; readonly name: string } | undefined => {
  const virtualKey = headerValue(headers, 'x-gw-virtual-key');
  if (virtualKey !== undefined) return { header: 'x-gw-virtual-key', name: virtualKey };
  const provider = headerValue(headers, 'x-gw-provider');
  return provider?.startsWith('@') ? { header: 'x-gw-provider', name: provider } : undefined;
};

/** Whether callers use a credential of their own; keys of the gateway file, which are in no workspace, share nothing. */
const isOwn = ({ headers, principal: { organisation, defaults } }: Asking): boolean => {
  if (organisation === undefined) return true;
  const isForced = defaults?.config !== undefined && defaults.allowConfigOverride === false;
  const isBare = headerValue(headers, 'x-gw-config') === undefined && savedName(headers) === undefined;
  return isBare && !isForced && headerValue(headers, 'x-gw-provider') !== undefined;
};

/**
 * The account that a request reaches with a credential of the gateway's; undefined where it uses another. A provider can be named
 * by x-gw-virtual-key too. Rejects with the `GatewayError` `invalid-input` where that names nothing.
 */
export const sharedAccount = async (
  asking: Asking,
  readSaved: () => Promise<Saved>,
): Promise<SharedAccount | undefined> => {
  if (isOwn(asking)) return undefined;
  const { headers } = asking;
  const { defaults } = asking.principal;
  const given = savedName(headers);
  const account = given === undefined ? undefined : namedAccount(await readSaved(), given.name, given.header);
  const passed =
    given === undefined || account === undefined
      ? headers
      : [...withoutNames(headers, [given.header]), ...account.lines];
  const isForced = defaults?.allowConfigOverride === false;
  const config = isForced ? defaults?.config : headerValue(headers, 'x-gw-config');
  if (config !== undefined)
    return { slug: `config:${[configLabel(config), account?.slug ?? ''].join(' ').trim()}`, headers: passed };
  if (given === undefined || account === undefined)
    return { slug: `config:${defaults?.config ?? ''}`, headers: passed };
  return { slug: account.slug, name: given.name, saved: account.found, headers: passed };
};
