import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { onlyNames } from '../../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../../sdk/http/http.ts';
import type { JsonReply, OnceReply, RouteContext } from '../../../../sdk/route/route-row.ts';
import { toStoredCaller } from '../../../access/identity/principal-now.ts';
import { claimPlace } from '../../../kernel/pools/claim-place.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import { newId } from '../../../kernel/store/new-id.ts';
import { refuseDestination } from '../../accounts/account.ts';
import { ownPrefix } from '../stored/answer-form.ts';
import { notInBackground, type ResponseOptions } from '../stored/asked-response.ts';
import { readContinued } from '../stored/one-response.ts';
import { backgroundKind } from './background-job.ts';
import { followedAnswer } from './followed-events.ts';
import { openResponse } from './open-response.ts';
import type { ResponseParts } from './response-parts.ts';

/** The headers that a request is sent with later: names of what is saved, and nothing secret. */
const keptHeaders = [
  ...['x-gw-config', 'x-gw-provider', 'x-gw-virtual-key', 'x-gw-metadata', 'x-gw-request-timeout'],
  ...['x-gw-cache-force-refresh', 'x-gw-cache-namespace', 'x-gw-strict-llmv-compliance'],
];

/** Headers by which a request brings a credential of its own. */
const credentials = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'];

const useSaved = 'Name a provider, a virtual key or a config that is saved.';

/** Why a request cannot be sent later as it is. */
const refusal = (body: JsonObject, headers: RawHeaders): JsonReply | undefined => {
  if (body.store === false) return notInBackground('store', 'with store: false. Leave store out.');
  if (credentials.some((name) => headerValue(headers, name) !== undefined))
    return notInBackground('background', `with a credential of the request, which is not stored. ${useSaved}`);
  if (headerValue(headers, 'x-gw-config')?.trimStart().startsWith('{') === true)
    return notInBackground('background', `by a config that the request brings. ${useSaved}`);
  return undefined;
};

const notStarted = (reply: JsonReply): OnceReply => ({ reply, kept: Promise.resolve(undefined) });

/** Begins a response in the background, and answers with it as it is at once, or with its events. */
export const startBackground = async (
  parts: ResponseParts,
  { body, asked: { previous, streams } }: { readonly body: JsonObject; readonly asked: ResponseOptions },
  { tenant, principal, headers, traceId, cancellation }: RouteContext,
): Promise<OnceReply> => {
  const { kept, jobs, pools, now } = parts;
  const refused = refusal(body, headers);
  if (refused !== undefined) return notStarted(refused);
  refuseDestination(headers, 'background');
  const found = await readContinued(kept, tenant, previous);
  if (found !== undefined && 'status' in found) return notStarted(found);
  // Claimed before anything is begun, so that whoever is refused has begun nothing.
  const place = streams ? await claimPlace(pools.eventStreams, { tenant, cancellation }) : undefined;
  const created = now();
  const id = `${ownPrefix}${newId(created)}`;
  const response = openResponse({ id, body, created });
  // Only JSON is in it.
  const caller = toStoredCaller(principal) as unknown as Json;
  const outcome = await kept
    .keep(
      tenant,
      {
        ...{ response, input: body.input ?? [], isNative: false, previous, createdBy: principal.keyId },
        request: { body, headers: onlyNames(headers, keptHeaders), caller, trace: traceId },
      },
      (writing) => jobs.add(writing, { kind: backgroundKind, id, tenant, payload: {} }),
    )
    .catch((error: unknown) => {
      place?.release();
      throw error;
    });
  if (outcome === 'too-large') {
    place?.release();
    return notStarted(notInBackground('input', 'of an input that is too large to be kept.'));
  }
  jobs.wake();
  const followed = { tenant, cancellation, id, from: 0 };
  const reply = place === undefined ? ok(response) : await followedAnswer(parts, followed, place);
  return { reply, kept: Promise.resolve(id) };
};
