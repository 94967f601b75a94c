import { invalidInput } from '../../../schema/invalid-input.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import { headerValue, type RawHeaders } from '../../sdk/http.ts';
import type { ControlParts } from '../control-parts.ts';
import type { BatchProvider } from './executor.ts';

const header = 'x-gw-virtual-key';

const refused = (message: string) =>
  invalidInput([
    {
      ...{ in: 'header', pointer: toPointer([header]), message },
      hint: `Name a virtual key, or the slug of a saved provider, with the header ${header}.`,
    },
  ]);

/** What the mandatory header names. Throws the `GatewayError` `invalid-input` where it is missing. */
export const providerName = (headers: RawHeaders): string => {
  const named = headerValue(headers, header)?.trim() ?? '';
  if (named === '') throw refused(`The header ${header} is missing.`);
  return named;
};

/** The virtual key or saved provider of a workspace that has a name. Throws the `GatewayError` `invalid-input` if none has. */
export const namedProvider = async (
  { viewOf }: Pick<ControlParts, 'viewOf'>,
  tenant: TenantId,
  named: string,
): Promise<BatchProvider> => {
  const { saved } = await viewOf(tenant);
  const slug = named.replace(/^@/, '');
  const key = Object.hasOwn(saved.virtualKeys, named) ? saved.virtualKeys[named] : undefined;
  if (key !== undefined) return { slug, provider: key.provider, headers: [header, named] };
  const provider = Object.hasOwn(saved.providers, slug) ? saved.providers[slug] : undefined;
  if (provider !== undefined) return { slug, provider: provider.provider, headers: ['x-gw-provider', `@${slug}`] };
  throw refused(`Your workspace has no virtual key or provider "${named.slice(0, 255)}".`);
};
