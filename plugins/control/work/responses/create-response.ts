import { refuseRepeatedKey } from '../../../../schema/errors/refuse-repeated-key.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { OnceReply, ReceivedBody, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { startBackground } from './background/background-requests.ts';
import type { ResponseParts } from './background/response-parts.ts';
import { sendResponse } from './input/sent-response.ts';
import { notedKeep, repeatedResponse } from './repeated-response.ts';
import { AnswerForm, isOwnId, ownPrefix } from './stored/answer-form.ts';
import { askedResponse, memberError, type ResponseOptions, refusedMember } from './stored/asked-response.ts';
import { readContinued } from './stored/one-response.ts';
import type { StoredResponses } from './stored/stored-responses.ts';
import { type Keep, storedAnswer } from './stored-stream.ts';

/** A request for a response: its body, and its query with the `?`. */
export interface Asking {
  readonly received: ReceivedBody;
  readonly search: string;
}

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
  const bytes = body.kind === 'bytes' ? toBuffer(body.bytes) : undefined;
  if (bytes?.includes('previous_response_id') || bytes?.includes('\\u')) refuseRepeatedKey(bytes);
};

const isPlain = ({ keeps, previous, isBackground, truncates }: ResponseOptions): boolean =>
  !keeps && previous === undefined && !isBackground && !truncates;

/** A request for a response, as its body says. */
interface Request {
  readonly body: JsonObject;
  readonly asked: ResponseOptions;
}

const keepAnswered =
  (kept: StoredResponses, body: JsonObject, { leaf }: GatewayResponse, { tenant, principal }: RouteContext): Keep =>
  (response) =>
    kept
      .keep(tenant, {
        response,
        input: body.input ?? [],
        isNative: !isOwnId(String(response.id)),
        ...(leaf?.maker === undefined ? {} : { maker: leaf.maker }),
        previous: findText(body.previous_response_id),
        createdBy: principal.keyId,
      })
      .catch(() => 'unavailable');

const sendAsked = async (
  { kept, now }: ResponseParts,
  { received, search }: Asking,
  { body, asked }: Request,
  context: RouteContext,
): Promise<OnceReply> => {
  const { keeps, previous, truncates } = asked;
  const chain = await readContinued(kept, context.tenant, previous);
  if (chain !== undefined && 'status' in chain) return { reply: chain, kept: Promise.resolve(undefined) };
  const answer = await sendResponse({ body, received, search, keeps, truncates, chain }, context);
  const form = new AnswerForm({ body, keeps, id: `${ownPrefix}${newId(now())}` });
  const { keep, reply } = notedKeep(keepAnswered(kept, body, answer, context));
  return reply(await storedAnswer(answer, { form, ...(keeps ? { keep } : {}) }));
};

/** Answers with a response, and keeps it where its request or its workspace says so. */
export const createResponse = async (
  parts: ResponseParts,
  asking: Asking,
  context: RouteContext,
): Promise<RouteReply> => {
  const body = findBody(asking.received, context);
  if (body === undefined) return passOn(asking, context);
  refuseAmbiguous(asking.received);
  const asked = askedResponse(body, context.principal.defaults?.keepResponses === true);
  if (isPlain(asked)) return passOn(asking, context);
  const error = memberError(body);
  if (error !== undefined) return refusedMember(error);
  const { keeps, isBackground, streams } = asked;
  const run = (): Promise<OnceReply> =>
    isBackground
      ? startBackground(parts, { body, asked }, context)
      : sendAsked(parts, asking, { body, asked }, context);
  // What is not kept is made anew each time.
  if (!keeps && !isBackground) return (await run()).reply;
  return context.once(run, (id) => repeatedResponse(parts, { id: String(id), streams }, context));
};
