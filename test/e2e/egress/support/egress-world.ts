import { onTestFinished } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateways/gateway-process.ts';

/** A host that no name server knows: what reaches it has gone through the proxy. */
export const corporateHost = 'models.corp.example';

/** Starts a gateway that ends with the test. */
export const serve = async (options: GatewayStart): Promise<GatewayProcess> => {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.stop());
  return gateway;
};

export interface Asked {
  readonly status: number;
  readonly text: string;
}

/** Requests a chat completion. */
export const ask = async (
  { baseUrl }: Pick<GatewayProcess, 'baseUrl'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  return { status: answer.status, text: await answer.text() };
};
