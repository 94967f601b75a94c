import type { Saved, SavedProvider } from '../../../../schema/config/saved.ts';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { headerFault } from '../../kernel/requests/refusals.ts';

const mandatory = 'x-gw-virtual-key';

/** The header of routes that act in the account of a saved provider. */
export const virtualKeyHeader: ParameterSchema = {
  type: 'object',
  required: [mandatory],
  properties: {
    [mandatory]: {
      type: 'string',
      minLength: 1,
      description: 'The slug of the virtual key, or of the saved provider, in whose account it is.',
    },
  },
};

const refused = (header: string, message: string): GatewayError =>
  headerFault(header, message, `Name a virtual key, or the slug of a saved provider, with the header ${mandatory}.`);

/** What the header x-gw-virtual-key of a request says. Throws the `GatewayError` `invalid-input` where it is missing. */
export const accountName = (headers: RawHeaders): string => {
  const name = headerValue(headers, mandatory)?.trim() ?? '';
  if (name === '') throw refused(mandatory, `The header ${mandatory} is missing.`);
  return name;
};

export interface NamedAccount {
  /** What it is called in the workspace, whichever of its names was used. */
  readonly slug: string;
  readonly found: SavedProvider;
  /** The header that names it on the data path. */
  readonly lines: RawHeaders;
}

/** Finds the slug of a saved provider: the first of its names. */
const toSlug = (things: Saved['providers'], found: SavedProvider, name: string): string =>
  Object.keys(things).find((each) => things[each] === found) ?? name;

/**
 * The virtual key, or else the provider, that a name stands for, which the header `by` has. Throws the `GatewayError`
 * `invalid-input` where there is none.
 */
export const namedAccount = ({ virtualKeys, providers }: Saved, name: string, by: string = mandatory): NamedAccount => {
  const virtualKey = Object.hasOwn(virtualKeys, name) ? virtualKeys[name] : undefined;
  if (virtualKey !== undefined)
    return { slug: toSlug(virtualKeys, virtualKey, name), found: virtualKey, lines: [mandatory, name] };
  const slug = name.replace(/^@/, '');
  const found = Object.hasOwn(providers, slug) ? providers[slug] : undefined;
  if (found !== undefined) return { slug: toSlug(providers, found, slug), found, lines: ['x-gw-provider', `@${slug}`] };
  throw refused(
    by,
    `Your workspace has no virtual key or provider "${name.slice(0, 255)}", which the header ${by} names.`,
  );
};
