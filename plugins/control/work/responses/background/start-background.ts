import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { onlyNames } from '../../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../../sdk/http/http.ts';
import type { JsonReply, OnceReply, RouteContext } from '../../../../sdk/route/route-row.ts';
import { toStoredCaller } from '../../../access/identity/principal-now.ts';
import type { JobQueue } from '../../../kernel/jobs/job-queue.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import { newId } from '../../../kernel/store/new-id.ts';
import { refuseDestination } from '../../accounts/refuse-destination.ts';
import { ownPrefix } from '../stored/answer-form.ts';
import type { ResponseOptions } from '../stored/asked-response.ts';
import type { Continued } from '../stored/continued.ts';
import { notInBackground } from '../stored/response-refusals.ts';
import type { StoredResponses } from '../stored/stored-responses.ts';
import { backgroundKind } from './background-job.ts';
import { claimStream, type FollowParts, followedAnswer } from './followed-events.ts';
import { openResponse } from './open-response.ts';

/** The headers that a request is sent with later: names of what is saved, and nothing secret. */
const kept = [
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

export interface StartParts extends FollowParts {
  readonly kept: StoredResponses;
  readonly continued: Continued;
  readonly jobs: JobQueue;
  readonly now: () => number;
}

/** Begins a response in the background, and answers with it as it is at once, or with its events. */
export type StartBackground = (body: JsonObject, asked: ResponseOptions, context: RouteContext) => Promise<OnceReply>;

const notStarted = (reply: JsonReply): OnceReply => ({ reply, kept: Promise.resolve(undefined) });

export const startBackground =
  (parts: StartParts): StartBackground =>
  async (body, { previous, streams }, { tenant, principal, headers, traceId, cancellation }) => {
    const refused = refusal(body, headers);
    if (refused !== undefined) return notStarted(refused);
    refuseDestination(headers, 'background');
    const found = previous === undefined ? undefined : await parts.continued(tenant, previous);
    if (found !== undefined && 'status' in found) return notStarted(found);
    const followed = { tenant, cancellation };
    // Claimed before anything is begun, so that whoever is refused has begun nothing.
    const place = streams ? await claimStream(parts, followed) : undefined;
    const created = parts.now();
    const id = `${ownPrefix}${newId(created)}`;
    const response = openResponse({ id, body, created });
    // Only JSON is in it.
    const caller = toStoredCaller(principal) as unknown as Json;
    const outcome = await parts.kept
      .keep(
        tenant,
        {
          ...{ response, input: body.input ?? [], isNative: false, previous, createdBy: principal.keyId },
          request: { body, headers: onlyNames(headers, kept), caller, trace: traceId },
        },
        (writing) => parts.jobs.add(writing, { kind: backgroundKind, id, tenant, payload: {} }),
      )
      .catch((error: unknown) => {
        place?.release();
        throw error;
      });
    if (outcome === 'too-large') {
      place?.release();
      return notStarted(notInBackground('input', 'of an input that is too large to be kept.'));
    }
    parts.jobs.wake();
    const reply = place === undefined ? ok(response) : followedAnswer(parts, { ...followed, id, from: 0 }, place);
    return { reply, kept: Promise.resolve(id) };
  };
