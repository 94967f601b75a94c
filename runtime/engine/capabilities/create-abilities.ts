import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import { findLacks } from '../../../schema/model-facts/find-lacks.ts';
import type { Lack } from '../../../schema/model-facts/lack.ts';
import type { RequestNeeds } from '../../../schema/model-facts/request-needs.ts';
import { slugModel } from '../../../schema/text/slug-model.ts';
import { requestModel } from '../../json-bodies/read/named-model.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KnownModels } from '../../ports/known-models.ts';
import { withEdits } from '../call/param-edits.ts';
import { readableBody } from '../call/readable-body.ts';
import type { Abilities, PlainBytes, ReachedLeaf, ResolvedTarget, Run } from '../call/run.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { Translation } from '../target/translation.ts';
import { carries } from './carries.ts';
import { CurrentFacts } from './current-facts.ts';
import { readPlainBytes } from './plain-bytes.ts';
import { isNeutral } from './plain-request.ts';
import { plainNeeds, readNeeds } from './request-needs.ts';

const nothing: readonly Lack[] = [];

/** Reads the request of a run from its bytes, if nothing has parsed them and it is plain. */
const plainBytes = (run: Run): PlainBytes | undefined => {
  const { exchange, dialect } = run;
  const { body } = exchange.request;
  if (run.plainBytes !== null) return run.plainBytes;
  const isUnread = exchange.readBody === undefined && body.kind === 'bytes' && exchange.route.operation === 'converse';
  const read = isUnread ? readPlainBytes(toBuffer(body.bytes)) : undefined;
  run.plainBytes = read?.hasFunctions === true && dialect?.id !== 'chat' ? undefined : read;
  return run.plainBytes;
};

const requestedModel = (run: Run): string | undefined => {
  const { exchange } = run;
  if (exchange.route.model !== undefined) return exchange.route.model;
  const plain = plainBytes(run);
  return plain === undefined ? requestModel(exchange) : findText(plain.body.model);
};

/** Returns the model of a request, without the slug of a saved provider that may precede it. */
const calledModel = (run: Run, edits: JsonObject | undefined, target: PreparedTarget): string | undefined => {
  const model = findText(edits?.model) ?? requestedModel(run);
  if (model === undefined) return target.provider.settingsModels?.(target.settings)[0];
  return slugModel(model)?.model ?? model;
};

/** Undefined for a path that belongs to no dialect, and if the target cannot be called: that will be its answer when it is. */
const findTarget = (run: Run, { resolve, edits }: ReachedLeaf): ResolvedTarget | undefined => {
  const { exchange, dialect } = run;
  if (dialect === undefined) return undefined;
  try {
    const target = resolve(exchange);
    const model = calledModel(run, edits, target);
    return { dialect, target, model, translation: target.translation(dialect, model) };
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/** Does the same, once per run. */
const askedTarget = (run: Run, leaf: ReachedLeaf): ResolvedTarget | undefined => {
  const { path } = leaf.leaf;
  const known = run.asked?.get(path);
  if (known !== undefined) return known;
  const found = findTarget(run, leaf);
  // A translation that is being loaded will be there on the next call.
  if (found === undefined || found.translation instanceof Promise) return found;
  run.asked ??= new Map();
  run.asked.set(path, found);
  return found;
};

/** Returns the initial body of a leaf. Undefined if it cannot be read, or cannot be built from the request. */
const findBody = (exchange: Exchange, { prompt }: ReachedLeaf): JsonObject | undefined => {
  const body = readableBody(exchange);
  if (body === undefined || prompt === undefined) return body;
  try {
    return prompt.fill(body);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

const bytesOf = (body: RequestBody): number => (body.kind === 'bytes' ? body.bytes.length : 0);

const needsThere = ({ exchange }: Run, leaf: ReachedLeaf, { dialect }: ResolvedTarget): RequestNeeds => {
  const { route, request } = exchange;
  const { edits } = leaf;
  const body = findBody(exchange, leaf);
  const laid = body === undefined ? undefined : withEdits(body, edits, { route, dialect });
  return readNeeds({ route, dialect, body: laid, edits, bytes: bytesOf(request.body) });
};

/** Reads what a request needs, as its client sent it. Undefined for a path that belongs to no dialect. */
export const requestNeeds = (run: Run): RequestNeeds | undefined => {
  const { exchange, dialect } = run;
  if (dialect === undefined) return undefined;
  if (run.needs !== undefined) return run.needs;
  const { route, request } = exchange;
  const bytes = bytesOf(request.body);
  const plain = plainBytes(run);
  run.needs =
    plain === undefined
      ? readNeeds({ route, dialect, body: readableBody(exchange), edits: undefined, bytes })
      : plainNeeds(plain, { route, dialect, body: undefined, edits: undefined, bytes }, () => exchange.json());
  return run.needs;
};

/**
 * The maximum number of bytes of bodies that are parsed again for one request, so that a long one is not parsed for each of many
 * targets.
 */
const maxReadAnew = 4 * 1024 * 1024;

const mayReadAnew = (run: Run): boolean => {
  run.bytesReadAnew += bytesOf(run.exchange.request.body);
  return run.bytesReadAnew <= maxReadAnew;
};

/**
 * Returns what a leaf needs. Its overrides may change the needs, and a stored prompt replaces the body. In that case the body is
 * parsed again, unless too much already was.
 */
const leafNeeds = (run: Run, leaf: ReachedLeaf, asked: ResolvedTarget): RequestNeeds => {
  const isClients = leaf.prompt === undefined && (leaf.edits === undefined || isNeutral(leaf.edits));
  return (isClients || !mayReadAnew(run) ? requestNeeds(run) : undefined) ?? needsThere(run, leaf, asked);
};

const isServed = ({ kind }: Translation, { route }: Exchange): boolean =>
  route.operation === 'opaque' ? kind === 'same' : kind !== 'none';

export interface AbilitiesOptions {
  readonly models: () => Promise<KnownModels>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Knows what targets cannot do from the facts of models, and from what codecs say that formats cannot carry. */
class KnownAbilities implements Abilities {
  readonly #facts: CurrentFacts;

  constructor({ models, clock }: AbilitiesOptions) {
    this.#facts = new CurrentFacts(models, clock);
  }

  ready(run: Run, leaves: readonly ReachedLeaf[]): Promise<void> | undefined {
    const waits: Promise<unknown>[] = [];
    for (const leaf of leaves) {
      const asked = askedTarget(run, leaf);
      if (asked === undefined) continue;
      const facts = this.#facts.ready(asked.target.provider.id);
      if (facts !== undefined) waits.push(facts);
      if (asked.translation instanceof Promise) waits.push(asked.translation);
    }
    return waits.length === 0 ? undefined : Promise.allSettled(waits).then(() => {});
  }

  lacks(run: Run, leaf: ReachedLeaf): readonly Lack[] {
    const { path } = leaf.leaf;
    run.lacks ??= new Map();
    const known = run.lacks.get(path);
    if (known !== undefined) return known;
    const found = this.#find(run, leaf);
    run.lacks.set(path, found);
    return found;
  }

  #find(run: Run, leaf: ReachedLeaf): readonly Lack[] {
    const asked = askedTarget(run, leaf);
    if (asked === undefined || asked.translation instanceof Promise) return nothing;
    const { translation, target, model } = asked;
    if (!isServed(translation, run.exchange)) return ['operation'];
    if (run.exchange.route.operation === 'opaque') return nothing;
    const needs = leafNeeds(run, leaf, asked);
    const { from } = leaf.target;
    const slug = from.kind === 'saved' ? from.slug : undefined;
    const facts = model === undefined ? undefined : this.#facts.find(target.provider.id, model, slug);
    const ofModel = facts === undefined ? nothing : findLacks(facts, needs);
    if (needs.carried.length === 0) return ofModel;
    const carrying = { translation, target, model };
    if (needs.carried.every((part) => carries(part, carrying))) return ofModel;
    const uncarried = needs.carried.filter((part) => !carries(part, carrying));
    return [...new Set([...ofModel, ...uncarried.map(({ lack }) => lack)])];
  }
}

export const createAbilities = (options: AbilitiesOptions): Abilities => new KnownAbilities(options);
