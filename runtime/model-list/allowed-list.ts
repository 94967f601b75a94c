import { withoutNames } from '../../plugins/sdk/http/header-lines.ts';
import type { GatewayResponse, ResponseBody } from '../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import { type AllowsModel, allowsModel } from '../../plugins/sdk/models/allows-model.ts';
import { errorReport, GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { isSuccess } from '../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { allowedModels } from '../engine/target/allowed-models.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

/** The maximum number of bytes of a list. */
const maxBytes = 16 * 1024 * 1024;

/** Rejects with a `GatewayError` for a body that breaks off or is too large. */
const readBytes = (body: ResponseBody): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (body.kind === 'bytes') return resolve(toBuffer(body.bytes));
    const chunks: Buffer[] = [];
    let length = 0;
    body.onEnd((end) => {
      if (end !== 'complete') reject(new GatewayError(errorReport('stream-cut', {})));
    });
    body.start({
      write(chunk) {
        length += chunk.length;
        if (length > maxBytes) reject(gatewayError('answer-too-large', { limit: maxBytes }));
        else chunks.push(Buffer.from(chunk));
        return true;
      },
      onDrain: (resume) => resume(),
      end: () => resolve(Buffer.concat(chunks)),
      fail: (report) => reject(new GatewayError(report)),
    });
  });

/** Returns the name of a model in a list: its id, or a name that may begin with `models/`. */
const toName = (model: Json): string | undefined => {
  if (!isJsonObject(model)) return undefined;
  const { id, name } = model;
  const called = id ?? name;
  return typeof called === 'string' ? called.replace(/^models\//, '') : undefined;
};

/** Whether a model stays in a list. `name` is undefined for an entry without one. */
type Stays = (name: string | undefined) => boolean;

const withoutRefused = (list: JsonObject, stays: Stays): JsonObject =>
  Object.fromEntries(
    Object.entries(list).map(([member, value]) => [
      member,
      (member === 'data' || member === 'models') && Array.isArray(value)
        ? value.filter((model) => stays(toName(model)))
        : value,
    ]),
  );

const filtered = async (answer: GatewayResponse, stays: Stays): Promise<GatewayResponse> => {
  if (!isSuccess(answer.status)) return answer;
  const bytes = await readBytes(answer.body);
  const list = parseObject(bytes.toString());
  if (list === undefined) return { ...answer, body: { kind: 'bytes', bytes } };
  const headers = withoutNames(answer.headers, ['content-length', 'etag']);
  return {
    ...answer,
    headers,
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(withoutRefused(list, stays))) },
  };
};

/** Returns which models some target of a plan allows. Undefined if one allows all. */
const allowedBy = ({ targets, bounds }: RoutingPlan): AllowsModel | undefined => {
  const lists = targets.filter(({ id }) => bounds.targets.includes(id)).map(allowedModels);
  const known = lists.filter((list) => list !== undefined).map(allowsModel);
  return known.length < lists.length ? undefined : (model) => known.some((allows) => allows(model));
};

/**
 * Wraps a plan whose provider answers with its own list of models: those that no target of the plan allows are removed, and those
 * that are not wanted.
 */
export const withAllowedList = (linked: LinkedPlan, exchange: HttpExchange, isWanted?: AllowsModel): LinkedPlan => {
  const byPlan = allowedBy(linked.plan);
  if (byPlan === undefined && isWanted === undefined) return linked;
  const stays: Stays = (name) =>
    name === undefined ? isWanted === undefined : byPlan?.(name) !== false && isWanted?.(name) !== false;
  // The list has to be read, so it must not be encoded.
  exchange.request.headers = withoutNames(exchange.request.headers, ['accept-encoding']);
  return { ...linked, execute: async (...run) => filtered(await linked.execute(...run), stays) };
};
