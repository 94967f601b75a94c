import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { ReferenceGuard } from '../../../sdk/control-plane/reference-guard.ts';
import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { longestAnswerMs } from '../../access/keys/create-identity.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createStoreAsker } from '../../kernel/store/store-asker.ts';
import { foreignIds } from './foreign-ids.ts';
import { namedThings } from './named-things.ts';
import { bodyReferences, noReferences, pathReferences, type Reference, referencesIn } from './references-in.ts';

/** As many ids as one request may name. */
export const maxReferences = 500;

const noIds: readonly string[] = [];

const toReferences = (body: RequestBody, dialect: string | undefined): readonly Reference[] =>
  body.kind === 'bytes' ? bodyReferences(toBuffer(body.bytes), dialect) : noReferences;

/** Where the client's own body names an id; undefined if a config, a prompt or a check does. */
const placeIn = (exchange: Exchange, id: string): JsonPointer | undefined => {
  try {
    for (const { id: named, pointer } of referencesIn(exchange.json())) if (named === id) return pointer;
  } catch {
    // What is passed through may be no JSON object.
  }
  return undefined;
};

const placeText = (exchange: Exchange, id: string, isInPath: boolean): string => {
  const pointer = placeIn(exchange, id);
  if (pointer !== undefined) return ` at ${pointer}`;
  return isInPath ? ' in its path' : '';
};

/**
 * Refuses what names an id that the store has of another workspace, and not of the caller's: workspaces can have one account of
 * a provider, which answers for all of them. Callers of no workspace, and their own credentials, share nothing.
 */
export const createReferenceGuard = ({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
}): ReferenceGuard => {
  const asked = createStoreAsker({ clock, longestMs: longestAnswerMs, onUnavailable: () => {} });

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
      /** The ids in its path. */
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
      // What goes to a storage is a file: its name is the gateway's, and its bytes ask for nothing.
      if (principal.organisation === undefined || route.isStorage === true) return undefined;
      // Paths of plugins are right already: a list of an account goes on behind whatever file was the last of a page.
      const isClients = route.operation === 'opaque' && exchange.isDispatched !== true;
      const inPath = isClients ? pathReferences(request.path) : noIds;
      const inBody = toReferences(request.body, dialect);
      // Nearly every request names nothing.
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
