import type { ReplayRequest } from './replay-case.ts';

const paths: Readonly<Record<ReplayRequest['route'], string>> = {
  chat: '/chat/completions',
  messages: '/messages',
  completions: '/completions',
  embeddings: '/embeddings',
  upload: '/files',
  listing: '/models',
};

const toBody = ({ body, stream, model }: ReplayRequest): string => {
  if (body === 'broken') return '{"model": ';
  return JSON.stringify({
    model,
    max_tokens: 16,
    prompt: 'Hello there.',
    input: 'Hello.',
    messages: body === 'unfit' ? 'Hello' : [{ role: 'user', content: 'Hello there.' }],
    ...(stream ? { stream } : {}),
  });
};

export interface ReplaySend {
  /** Includes `/v1`. */
  readonly baseUrl: string;
  readonly config: string;
  readonly trace: string;
}

const send = async (request: ReplayRequest, { baseUrl, config, trace }: ReplaySend): Promise<void> => {
  const { route, tier, leavesAfterMs } = request;
  const answer = await fetch(`${baseUrl}${paths[route]}`, {
    method: route === 'listing' ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': config,
      'x-gw-trace-id': trace,
      ...(tier === undefined ? {} : { 'x-gw-metadata': JSON.stringify({ tier }) }),
    },
    ...(route === 'listing' ? {} : { body: toBody(request) }),
    ...(leavesAfterMs === undefined ? {} : { signal: AbortSignal.timeout(leavesAfterMs) }),
  });
  await answer.arrayBuffer();
};

/** Sends a request and reads the answer to its end, whatever it is: only what the gateway logs matters. */
export const sendReplayRequest = (request: ReplayRequest, to: ReplaySend): Promise<void> =>
  send(request, to).catch(() => undefined);
