import { refuseRepeatedKey } from '../../../../schema/errors/refuse-repeated-key.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { OnceReply, ReceivedBody, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { FollowParts } from './background/followed-events.ts';
import type { StartBackground } from './background/start-background.ts';
import { rebuiltInput } from './input/rebuilt-input.ts';
import { sendResponse } from './input/sent-response.ts';
import { notedKeep, repeatedResponse } from './repeated-response.ts';
import { AnswerForm, isOwnId, ownPrefix } from './stored/answer-form.ts';
import { askedResponse, memberFault, type ResponseOptions } from './stored/asked-response.ts';
import type { Continued } from './stored/continued.ts';
import type { Keep } from './stored/final-response.ts';
import { refusedMember } from './stored/response-refusals.ts';
import type { StoredResponses } from './stored/stored-responses.ts';
import { storedAnswer } from './stored-answer.ts';

export interface CreateParts extends FollowParts {
  readonly kept: StoredResponses;
  readonly continued: Continued;
  /** Absent where nothing is done in the background. */
  readonly start?: StartBackground | undefined;
  readonly now: () => number;
}

/** A request for a response: its body, and its query with the `?`. */
export interface Asking {
  readonly received: ReceivedBody;
  readonly search: string;
}

type Handle = (asking: Asking, context: RouteContext) => Promise<RouteReply>;

const passOn = (
  { received, search }: Asking,
  { dispatch, headers, principal }: RouteContext,
): Promise<GatewayResponse> =>
  dispatch({ method: 'POST', path: `/v1/responses${search}`, headers, received }, principal);

/** The body of a request that says something of being kept; undefined of one that is none of the control plane's business. */
const findBody = ({ json }: ReceivedBody, { principal }: RouteContext): JsonObject | undefined => {
  // A key of the gateway file keeps nothing in the store.
  if (principal.organisation === undefined) return undefined;
  try {
    return json?.();
  } catch {
    // The data path says why.
    return undefined;
  }
};

/** A provider must not read another response to continue, or to keep, than was validated here. Throws `malformed-body`. */
const refuseAmbiguous = ({ body }: ReceivedBody): void => {
  if (body.kind !== 'bytes') return;
  const bytes = toBuffer(body.bytes);
  if (!bytes.includes('previous_response_id') && !bytes.includes('\\u')) return;
  refuseRepeatedKey(bytes);
};

const isPlain = ({ keeps, previous, isBackground, truncates }: ResponseOptions): boolean =>
  !keeps && previous === undefined && !isBackground && !truncates;

/** The route that answers with a response, and keeps it where its request or its workspace says so. */
export const createResponse = ({ kept, continued, start, now, ...following }: CreateParts): Handle => {
  const again = repeatedResponse({ kept, ...following });
  const keeper =
    (body: JsonObject, answer: GatewayResponse, { tenant, principal }: RouteContext): Keep =>
    async (response) => {
      const { leaf } = answer;
      try {
        return await kept.keep(tenant, {
          response,
          input: (body.input ?? []) as Json,
          isNative: !isOwnId(String(response.id)),
          ...(leaf?.maker === undefined ? {} : { maker: leaf.maker }),
          previous: typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined,
          createdBy: principal.keyId,
        });
      } catch {
        return 'unavailable';
      }
    };

  const send = async (
    { received, search }: Asking,
    { body, asked }: { readonly body: JsonObject; readonly asked: ResponseOptions },
    context: RouteContext,
  ): Promise<OnceReply> => {
    const { keeps, previous, truncates } = asked;
    const found = previous === undefined ? undefined : await continued(context.tenant, previous);
    if (found !== undefined && 'status' in found) return { reply: found, kept: Promise.resolve(undefined) };
    const answer = await sendResponse(
      {
        ...{ body, received, search, keeps, truncates, previous: found?.links.at(-1) },
        ...(found?.isWhole === true ? { before: rebuiltInput(found.links) } : {}),
      },
      context,
    );
    const form = new AnswerForm({ body, keeps, id: `${ownPrefix}${newId(now())}` });
    const { keep, reply } = notedKeep(keeper(body, answer, context));
    return reply(await storedAnswer(answer, { form, ...(keeps ? { keep } : {}) }));
  };

  return async (asking, context) => {
    const body = findBody(asking.received, context);
    if (body === undefined) return passOn(asking, context);
    refuseAmbiguous(asking.received);
    const asked = askedResponse(body, context.principal.defaults?.keepResponses === true);
    if (isPlain(asked)) return passOn(asking, context);
    const fault = memberFault(body);
    if (fault !== undefined) return refusedMember(fault);
    const { keeps, isBackground, streams } = asked;
    const run = (): Promise<OnceReply> =>
      isBackground && start !== undefined ? start(body, asked, context) : send(asking, { body, asked }, context);
    // What is not kept is made anew each time.
    if (!keeps && !isBackground) return (await run()).reply;
    return context.once(run, (id) => again(String(id), streams, context));
  };
};
