import { BedrockRuntimeClient, BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Told } from '../../scenario.ts';
import type { AskOptions } from '../client-driver.ts';
import { droppedHeader, droppedOf } from '../response-tap.ts';

/** AWS's client, pointed at the gateway, with what the gateway dropped of the last request. */
export interface BedrockClient {
  readonly client: BedrockRuntimeClient;
  dropped(): readonly string[];
}

const headersOf = (message: unknown): Record<string, string> => {
  if (typeof message !== 'object' || message === null || !('headers' in message))
    throw new Error('The client works with messages that have no headers.');
  return Object(message.headers);
};

/** The client's own handler speaks HTTP/2 without TLS, which servers at a plain-text port do not. */
export const bedrockClient = ({ origin, headers }: AskOptions): BedrockClient => {
  const client = new BedrockRuntimeClient({
    endpoint: origin,
    region: 'us-east-1',
    token: { token: 'not-sent' },
    authSchemePreference: ['httpBearerAuth'],
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  });
  let dropped: readonly string[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(headersOf(args.request), headers);
      return next(args);
    },
    { step: 'build', name: 'gatewayHeaders' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      dropped = droppedOf(headersOf(result.response)[droppedHeader]);
      return result;
    },
    { step: 'deserialize', name: 'droppedParameters', priority: 'low' },
  );
  return { client, dropped: () => dropped };
};

/** The status and message of the client's error. */
export const bedrockError = (thrown: unknown): Told['error'] | undefined =>
  thrown instanceof BedrockRuntimeServiceException
    ? { status: thrown.$metadata.httpStatusCode ?? 0, message: thrown.message }
    : undefined;
