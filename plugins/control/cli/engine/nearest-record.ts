import { lookUp } from '../../../../schema/json/look-up.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import type { GatewayAccess } from '../client/gateway-access.ts';
import { StoreReader } from '../names/store-reader.ts';
import { printable } from '../show/texts.ts';
import { commandsByPath } from './format-refusal.ts';

/**
 * Finds the record that was most likely meant by the first name in the path of a route, by its slug or else its id. Undefined
 * where its resource has no list, where the list cannot be read or has that name, and where no name is near.
 */
export const nearestRecord = async (
  access: GatewayAccess,
  route: string,
  names: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const [, path = '', member = ''] = /^\w+ \/([\w/-]+)\/\{(\w+)\}/.exec(route) ?? [];
  const written = names[member];
  if (written === undefined || lookUp(commandsByPath, path) === undefined) return undefined;
  const listed = await new StoreReader(access).list(`/${path}`);
  if (listed.kind === 'unread') return undefined;
  if (listed.items.some(({ slug, id }) => slug === written || id === written)) return undefined;
  const nearest = closestName(
    written,
    listed.items.flatMap(({ slug, id }) => findText(slug) ?? findText(id) ?? []),
  );
  return nearest && printable(nearest);
};
