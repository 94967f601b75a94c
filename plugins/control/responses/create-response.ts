import type { Json, JsonObject } from '../../../schema/json.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import type { GatewayResponse } from '../../sdk/http.ts';
import type { JsonReply, ReceivedBody, RouteContext, RouteReply } from '../../sdk/route-row.ts';
import { toBuffer } from '../../sdk/to-buffer.ts';
import { newId } from '../store/new-id.ts';
import { AnswerForm, ownPrefix } from './answer-form.ts';
import { type AskedResponse, askedResponse, mayAsk, memberFault } from './asked-response.ts';
import { keptAnswer } from './kept-answer.ts';
import type { Chain } from './kept-response.ts';
import type { KeptResponses } from './kept-responses.ts';
import { rebuiltInput } from './rebuilt-input.ts';
import { refusedMember, tooLongChain, unknownPrevious } from './response-refusals.ts';
import { sendResponse } from './sent-response.ts';
import type { Keep } from './settled-response.ts';

export interface CreateParts {
  readonly kept: KeptResponses;
  readonly now: () => number;
}

type Handle = (received: ReceivedBody, context: RouteContext) => Promise<RouteReply>;

const passOn = (received: ReceivedBody, { dispatch, headers, principal }: RouteContext): Promise<GatewayResponse> =>
  dispatch({ method: 'POST', path: '/v1/responses', headers, received }, principal);

/** The body of a request that says something of being kept; undefined of one that is none of the control plane's business. */
const bodyOf = ({ body }: ReceivedBody, { principal }: RouteContext): JsonObject | undefined => {
  if (body.kind !== 'bytes' || principal.organisation === undefined) return undefined;
  const bytes = toBuffer(body.bytes);
  return principal.defaults?.keepResponses === true || mayAsk(bytes) ? parseObject(bytes.toString()) : undefined;
};

const isPlain = ({ keeps, previous, isBackground, truncates }: AskedResponse): boolean =>
  !keeps && previous === undefined && !isBackground && !truncates;

/** What a request continues; nothing where only its provider can know it. */
type Before = Pick<Chain, 'links'> | undefined;

/** The route that answers with a response, and keeps it where its request or its workspace says so. */
export const createResponse = ({ kept, now }: CreateParts): Handle => {
  const before = async ({ tenant }: RouteContext, id: string): Promise<Before | JsonReply> => {
    const chain = await kept.chain(tenant, id);
    if (chain === 'too-long') return tooLongChain(id);
    if (chain?.isWhole === true) return chain;
    if (chain === undefined) {
      const isNobodys = id.startsWith(ownPrefix) || (await kept.isOfAnother(tenant, id));
      return isNobodys ? unknownPrevious(id) : undefined;
    }
    return chain.links.at(-1)?.isNative === true ? undefined : unknownPrevious(id);
  };

  const keeper =
    (body: JsonObject, answer: GatewayResponse, { tenant, principal }: RouteContext): Keep =>
    async (response) => {
      const { leaf } = answer;
      try {
        return await kept.keep(tenant, {
          response,
          input: (body.input ?? []) as Json,
          isNative: !String(response.id).startsWith(ownPrefix),
          ...(leaf?.maker === undefined ? {} : { maker: leaf.maker }),
          previous: typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined,
          createdBy: principal.keyId,
        });
      } catch {
        return 'unavailable';
      }
    };

  return async (received, context) => {
    const body = bodyOf(received, context);
    if (body === undefined) return passOn(received, context);
    const asked = askedResponse(body, context.principal.defaults?.keepResponses === true);
    if (isPlain(asked)) return passOn(received, context);
    const fault = memberFault(body);
    if (fault !== undefined) return refusedMember(fault);
    const { keeps, previous, truncates } = asked;
    const found = previous === undefined ? undefined : await before(context, previous);
    if (found !== undefined && 'status' in found) return found;
    const answer = await sendResponse(
      {
        ...{ body, received, keeps, truncates, previous: found?.links.at(-1) },
        ...(found === undefined ? {} : { before: rebuiltInput(found.links) }),
      },
      context,
    );
    const form = new AnswerForm({ body, keeps, id: `${ownPrefix}${newId(now())}` });
    return keptAnswer(answer, { form, ...(keeps ? { keep: keeper(body, answer, context) } : {}) });
  };
};
