import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { ReferenceGuard } from '../../../sdk/control-plane/reference-guard.ts';
import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createStoreAsker } from '../../kernel/store/store-asker.ts';
import { foreignIds } from './foreign-ids.ts';
import { namedThings } from './named-things.ts';
import { bodyReferences, noReferences, pathReferences, type Reference, referencesIn } from './references-in.ts';

/** The maximum number of ids in one request. */
export const maxReferences = 500;

const noIds: readonly string[] = [];

const toReferences = (body: RequestBody, dialect: string | undefined): readonly Reference[] =>
  body.kind === 'bytes' ? bodyReferences(toBuffer(body.bytes), dialect) : noReferences;

/** Returns the place of an id in the client's own body; undefined if a config, a prompt or a check added it. */
const placeIn = (exchange: Exchange, id: string): JsonPointer | undefined => {
  try {
    for (const { id: named, pointer } of referencesIn(exchange.json())) if (named === id) return pointer;
  } catch {
    // A passed-through body need not be a JSON object.
  }
  return undefined;
};

const placeText = (exchange: Exchange, id: string, isInPath: boolean): string => {
  const pointer = placeIn(exchange, id);
  if (pointer !== undefined) return ` at ${pointer}`;
  return isInPath ? ' in its path' : '';
};

/**
 * Rejects requests that name an id which the store has for another workspace and not for the caller's. Workspaces can share an
 * account of a provider, which answers all of them. Callers without a workspace, and requests with their own credentials, share
 * nothing.
 */
export const createReferenceGuard = ({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
}): ReferenceGuard => {
  const asked = createStoreAsker({ clock, onUnavailable: () => {} });

  const refuseForeign = async (
    ids: ReadonlySet<string>,
    {
      exchange,
      slug,
      inPath,
    }: {
      readonly exchange: Exchange;
      /** The saved provider or virtual key that is called. */
      readonly slug: string | undefined;
      /** The ids in the path. */
      readonly inPath: readonly string[];
    },
  ): Promise<void> => {
    if (ids.size > maxReferences) throw gatewayError('too-many-references', { max: maxReferences });
    const [id] = await asked(foreignIds(store, { tenant: exchange.principal.tenant, slug, ids: [...ids] }));
    if (id !== undefined)
      throw gatewayError('unknown-reference', { id, place: placeText(exchange, id, inPath.includes(id)) });
  };

  return {
    check({ request, dialect, slug }, exchange) {
      const { principal, route } = exchange;
      // A request to a storage transfers a file: the gateway chose its name, and its bytes name nothing.
      if (principal.organisation === undefined || route.isStorage === true) return undefined;
      // The gateway has already checked the paths of plugins. A list of an account may continue after any file that ended the
      // last page.
      const isClients = route.operation === 'opaque' && exchange.isDispatched !== true;
      const inPath = isClients ? pathReferences(request.path) : noIds;
      const inBody = toReferences(request.body, dialect);
      // Nearly all requests name nothing.
      if (inPath.length === 0 && inBody.length === 0) return undefined;
      return refuseForeign(new Set([...inPath, ...inBody.map(({ id }) => id)]), { exchange, slug, inPath });
    },
    async named({ path, body }, { principal, route }) {
      if (principal.organisation === undefined || route.isStorage === true) return [];
      const ids = new Set([...pathReferences(path), ...toReferences(body, undefined).map(({ id }) => id)]);
      if (ids.size > maxReferences) throw gatewayError('too-many-references', { max: maxReferences });
      return asked(namedThings(store, { tenant: principal.tenant, ids: [...ids] }));
    },
  };
};
