import { BedrockRuntimeClient, BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Received } from '../../scenario.ts';
import type { AskOptions } from '../client-driver.ts';
import { droppedHeader, type ResponseTap, toDropped } from '../response-tap.ts';

/** AWS's client, pointed at the gateway, and the information from the headers of the gateway's answers. */
export interface BedrockClient {
  readonly client: BedrockRuntimeClient;
  readonly tap: Pick<ResponseTap, 'dropped' | 'waits'>;
}

/** The client's own handler uses HTTP/2 without TLS, which servers on a plain-text port do not support. */
class TappedHandler extends NodeHttpHandler {
  dropped: readonly string[] = [];
  readonly waits: string[] = [];

  override async handle(...args: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    const result = await super.handle(...args);
    const { headers, statusCode } = result.response;
    this.dropped = toDropped(headers[droppedHeader]);
    if (statusCode === 429) this.waits.push(headers['retry-after'] ?? '');
    return result;
  }
}

const readHeaders = (message: unknown): Record<string, string> => {
  if (typeof message !== 'object' || message === null || !('headers' in message))
    throw new Error('The client works with messages that have no headers.');
  return Object(message.headers);
};

/** Creates AWS's client for a cell. */
export const bedrockClient = ({ origin, headers, retries }: AskOptions): BedrockClient => {
  const handler = new TappedHandler();
  const client = new BedrockRuntimeClient({
    endpoint: origin,
    region: 'us-east-1',
    token: { token: 'not-sent' },
    authSchemePreference: ['httpBearerAuth'],
    maxAttempts: 1 + retries,
    requestHandler: handler,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(readHeaders(args.request), headers);
      return next(args);
    },
    { step: 'build', name: 'gatewayHeaders' },
  );
  return { client, tap: { dropped: () => handler.dropped, waits: () => handler.waits } };
};

/** Returns the status and message of the client's error. */
export const bedrockError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof BedrockRuntimeServiceException
    ? { status: thrown.$metadata.httpStatusCode ?? 0, message: thrown.message }
    : undefined;
