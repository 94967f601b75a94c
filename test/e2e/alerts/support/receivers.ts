import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';

/** The secret with which the webhooks of these tests are signed. */
export const secret: string = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A server that is closed when the test ends. */
export const started = async (handler: UpstreamHandler = (call) => call.answer({})): Promise<TestUpstream> => {
  const upstream = await startUpstream(handler);
  onTestFinished(() => upstream.close());
  return upstream;
};

export interface Message {
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly state: string;
    readonly title: string;
    readonly count: number;
    readonly workspace?: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** The messages of a webhook, each with its signature verified. */
export const verified = ({ requests }: TestUpstream): readonly Message[] =>
  requests.map(
    (request) =>
      new Webhook(secret).verify(request.text(), {
        'webhook-id': request.header('webhook-id') ?? '',
        'webhook-timestamp': request.header('webhook-timestamp') ?? '',
        'webhook-signature': request.header('webhook-signature') ?? '',
      }) as Message,
  );

/** The kinds of those messages, each with its state. */
export const states = (receiver: TestUpstream): readonly string[] =>
  verified(receiver).map(({ type, data }) => `${type} ${data.state}`);
