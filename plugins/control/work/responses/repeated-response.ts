import type { Json } from '../../../../schema/json/json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { OnceReply, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { claimStream, type FollowParts, followedAnswer } from './background/followed-events.ts';
import { replayedAnswer } from './replayed-events.ts';
import type { Keep } from './stored/final-response.ts';
import { unknownResponse } from './stored/response-refusals.ts';
import type { StoredResponses } from './stored/stored-responses.ts';

/** A way to keep a response, with what a repetition of its request is answered by: its id, if it is kept. */
export interface NotedKeep {
  readonly keep: Keep;
  /** The answer with what is kept of it. */
  reply(answer: GatewayResponse): OnceReply;
}

export const notedKeep = (keep: Keep): NotedKeep => {
  const { promise, resolve } = Promise.withResolvers<Json | undefined>();
  let keeping: Promise<Json | undefined> | undefined;
  return {
    keep(response) {
      const outcome = keep(response);
      keeping = outcome.then((made) => (made === 'kept' ? (response.id ?? undefined) : undefined));
      return outcome;
    },
    reply(answer) {
      const { body } = answer;
      if (body.kind === 'stream') body.onEnd(() => resolve(keeping));
      else resolve(keeping);
      return { reply: answer, kept: promise };
    },
  };
};

export interface RepeatParts extends FollowParts {
  readonly kept: Pick<StoredResponses, 'find'>;
}

/** Answers a repetition with the response as it is now. Throws the `GatewayError` `not-found` if it was deleted. */
export const repeatedResponse =
  ({ kept, ...following }: RepeatParts) =>
  async (id: string, streams: boolean, { tenant, cancellation }: RouteContext): Promise<RouteReply> => {
    const found = await kept.find(tenant, id);
    if (found === undefined) throw unknownResponse(id);
    const { response, isBackground } = found;
    if (!streams) return ok(response);
    if (isBackground !== true) return replayedAnswer(response);
    const followed = { tenant, id, cancellation, from: 0 };
    return followedAnswer(following, followed, await claimStream(following, followed));
  };
