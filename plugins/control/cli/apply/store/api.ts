import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { findText, toObjects, toTexts } from '../../../../../schema/json/loose.ts';
import { mapConcurrently } from '../../../../sdk/time/map-concurrently.ts';
import { type ApiRequest, askGateway, RefusalError, readJson } from '../../client/ask-gateway.ts';
import { ControlPlane } from '../../client/control-plane.ts';
import type { GatewayAccess } from '../../client/gateway-access.ts';
import { pageQuery } from '../../client/page-query.ts';
import { runFailure } from '../../command-line/services.ts';
import type { Kind, Place } from '../kinds/kind.ts';

/** A response of the API, with the entity tag of its record. */
export interface ApiAnswer {
  readonly body: JsonObject;
  readonly etag: string | undefined;
}

/** The caller of the API: where it may act, and its scopes. */
export interface Caller {
  readonly organisation: string;
  readonly reach: 'workspace' | 'organisation';
  /** The slug of the workspace, if the caller reaches only that. */
  readonly workspace: string | undefined;
  readonly scopes: ReadonlySet<string>;
}

const pageSize = 1000;
const atOnce = 8;

/** Calls the API for each item, a few at a time, and returns the results in the order of the items. */
export const mapRequests = <Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => mapConcurrently(items, atOnce, run);

/** The API of one gateway. Requests act in the workspace of their place. */
export class ApplyApi {
  readonly access: GatewayAccess;
  /** Whether requests name a workspace. A key of a workspace always acts there, and names none. */
  #namesPlaces = true;

  private constructor(access: GatewayAccess) {
    this.access = access;
  }

  /** Rejects like `ControlPlane.find`. */
  static async find(access: GatewayAccess): Promise<ApplyApi> {
    // Each request names its own workspace.
    const { access: found } = await ControlPlane.find({ ...access, workspace: undefined });
    return new ApplyApi(found);
  }

  /** Sends a request. Rejects like `askGateway`. */
  ask(request: ApiRequest, place: Place = null): Promise<ApiAnswer> {
    const headers = { ...request.headers, ...(place !== null && this.#namesPlaces && { 'x-gw-workspace': place }) };
    return askGateway(this.access, {
      request: { ...request, headers },
      read: async (answer, origin) => {
        const body = await readJson(answer, origin);
        if (!isJsonObject(body))
          throw runFailure(
            `${origin} did not answer with a JSON object.`,
            'Use a gw of the same version as the gateway.',
          );
        return { body, etag: answer.headers.get('etag') ?? undefined };
      },
    });
  }

  /** Reads something that may not exist: undefined for a 404. */
  async read(path: string, place: Place): Promise<ApiAnswer | undefined> {
    try {
      return await this.ask({ method: 'GET', path }, place);
    } catch (error) {
      if (error instanceof RefusalError && error.refusal.status === 404) return undefined;
      throw error;
    }
  }

  /** Queries who the caller is. Later requests act where this caller can. */
  async caller(): Promise<Caller> {
    const { body } = await this.ask({ method: 'GET', path: '/caller' });
    const isOrganisation = body.reach === 'organisation';
    this.#namesPlaces = isOrganisation;
    return {
      organisation: findText(body.organisation_id) ?? '',
      reach: isOrganisation ? 'organisation' : 'workspace',
      workspace: isOrganisation ? undefined : findText(body.workspace_slug),
      scopes: new Set(toTexts(body.scopes)),
    };
  }

  /** Lists all records of a path. */
  async list(path: string, place: Place, query: Readonly<Record<string, string>> = {}): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    for (;;) {
      const asked = { ...query, ...pageQuery(pageSize, items) };
      const { body } = await this.ask({ method: 'GET', path, query: asked }, place);
      const found = toObjects(body.data);
      items.push(...found);
      if (found.length < pageSize) return items;
    }
  }
}

/** Checks whether a listed record belongs to a place. */
export const isOfPlace = (kind: Kind, record: JsonObject, place: Place): boolean =>
  kind.owner !== 'either' || (place === null) === ((record.workspace_id ?? null) === null);
