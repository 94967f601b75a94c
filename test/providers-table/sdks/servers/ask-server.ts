import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { operationSamples } from '../../../operations-table/samples.ts';
import type { UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { clientOf } from '../../clients/official-clients.ts';

const text = 'Hello.';

/** The responses of an upstream that is compatible with OpenAI, by the end of the request's path. */
const answers: Readonly<Record<string, string>> = {
  '/chat/completions': 'chat',
  '/v1/completions': 'completions',
  '/embeddings': 'embeddings',
  '/moderations': 'moderations',
  '/images/generations': 'images',
  '/responses': 'responses',
  '/responses/input_tokens': 'responses-count',
};

/** Responds to the server as OpenAI would. */
export const answerServer: UpstreamHandler = (call) => {
  const [pathname = ''] = call.request.path.split('?');
  const [, dialect = ''] = Object.entries(answers).find(([end]) => pathname.endsWith(end)) ?? [];
  const sample = operationSamples[dialect];
  if (sample === undefined) call.json({ error: { message: `${pathname} is not served.` } }, { status: 404 });
  else call.json(sample.answer(text));
};

/** Sends a request to the server through the gateway with the dialect's usual library, which must read text in the response. */
export const askServer = async (
  dialect: string,
  { gateway, config, model }: { readonly gateway: string; readonly config: JsonObject; readonly model: string },
): Promise<void> => {
  const ask = clientOf(dialect)?.asks[dialect];
  if (ask === undefined) throw new Error(`No client asks in ${dialect}.`);
  const headers = { 'x-gw-config': JSON.stringify(config) };
  const read = await ask({ origin: gateway, base: '/v1', key: 'not-sent', headers, model }, text);
  assert.notEqual(read, '', 'The client read nothing.');
};
