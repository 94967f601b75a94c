import type { FoundName } from '../../../schema/config/saved-names.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { RefusalError } from './client/ask-gateway.ts';
import { ControlPlane, callApi } from './client/control-plane.ts';
import type { GatewayAccess } from './client/gateway-access.ts';
import { pageQuery } from './client/page-query.ts';
import { CommandFailure } from './command-line/services.ts';
import { describeRefusal } from './resources/format-refusal.ts';
import { printable } from './resources/texts.ts';

/** The result of a request: an object, nothing with that name, or why the answer is not known, in sentences. */
type StoreAnswer =
  | { readonly kind: 'read'; readonly value: JsonObject }
  | { readonly kind: 'none' }
  | { readonly kind: 'unread'; readonly why: string };

/** The objects of a list, as far as the caller may read it. */
type StoreList =
  | { readonly kind: 'read'; readonly items: readonly JsonObject[] }
  | { readonly kind: 'unread'; readonly why: string };

type UnknownName = Extract<FoundName, { kind: 'unknown' }>;
type Saved = Extract<FoundName, { kind: 'found' }>['saved'];

/** Reports that no record has the requested name, and lists these records instead. */
export const unknownName = (others: readonly JsonObject[]): UnknownName => ({
  kind: 'unknown',
  names: others.flatMap(({ slug }) => (typeof slug === 'string' ? [printable(slug)] : [])),
});

/**
 * Reads the control plane of a gateway. A gateway that cannot be reached is tried only once, so that nobody waits for a silent
 * gateway a second time. A request that the key may not send does not affect others.
 */
export class StoreReader {
  readonly access: GatewayAccess;
  #plane: Promise<ControlPlane> | undefined;
  #unavailable: string | undefined;

  constructor(access: GatewayAccess) {
    this.access = access;
  }

  /** `http://127.0.0.1:8787`. */
  get origin(): string {
    return new URL(this.access.base).origin;
  }

  async read(path: string, query: Readonly<Record<string, string>> = {}): Promise<StoreAnswer> {
    if (this.#unavailable !== undefined) return { kind: 'unread', why: this.#unavailable };
    try {
      this.#plane ??= ControlPlane.find(this.access);
      const value = await callApi(await this.#plane, { method: 'GET', path, query });
      return isJsonObject(value)
        ? { kind: 'read', value }
        : this.#fail(`${this.origin} did not answer with a JSON object.`);
    } catch (error) {
      if (error instanceof CommandFailure) return this.#fail(`${printable(error.message)} ${error.hint}`);
      if (!(error instanceof RefusalError)) throw error;
      if (error.refusal.status === 404) return { kind: 'none' };
      const why = describeRefusal(error.refusal, this.access);
      return error.refusal.status === 403 ? { kind: 'unread', why } : this.#fail(why);
    }
  }

  /** Reads a list to its end, or until enough was read. A workspace may have 10,000 records of a kind. */
  async list(
    path: string,
    {
      pageSize = 1000,
      maxPages = 10,
      isEnough = () => false,
    }: { pageSize?: number; maxPages?: number; isEnough?: (items: readonly JsonObject[]) => boolean } = {},
  ): Promise<StoreList> {
    const items: JsonObject[] = [];
    for (let page = 0; page < maxPages && !isEnough(items); page += 1) {
      const answer = await this.read(path, pageQuery(pageSize, items));
      if (answer.kind === 'unread') return answer;
      const found = answer.kind === 'read' ? toObjects(answer.value.data) : [];
      items.push(...found);
      if (found.length < pageSize) break;
    }
    return { kind: 'read', items };
  }

  /** Finds a record by its name below a path, and converts it to the form that configs need. */
  async find(path: string, name: string, toSaved: (record: JsonObject, name: string) => Saved): Promise<FoundName> {
    const answer = await this.read(`${path}/${encodeURIComponent(name)}`);
    if (answer.kind === 'unread') return answer;
    return answer.kind === 'none' ? this.unknown(path) : { kind: 'found', saved: toSaved(answer.value, name) };
  }

  /** Reports that no record has a name, and lists the records at a path. */
  async unknown(path: string): Promise<UnknownName> {
    const listed = await this.list(path);
    return unknownName(listed.kind === 'read' ? listed.items : []);
  }

  #fail(why: string): StoreAnswer {
    this.#unavailable = why;
    return { kind: 'unread', why };
  }
}
