import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  startUpstream,
  type TestUpstream,
  type UpstreamCall,
  type UpstreamHandler,
} from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ env: { GW_LOG: 'requests,hooks' } });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const repairing = { output_guardrails: [{ 'default.jsonSchema': { schema, repair: true }, deny: true }] };
const wrong = '{"name": 1815}';
const right = '{"name": "Ada"}';
const finding = '/name must be string.';

interface Client {
  readonly name: string;
  readonly path: string;
  readonly streamPath?: string;
  readonly body: (says: string) => object;
}

const clients: readonly Client[] = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    body: (says) => ({ model: 'm', messages: [{ role: 'user', content: says }] }),
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: (says) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: says }] }),
  },
  {
    name: 'gemini',
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: (says) => ({ contents: [{ role: 'user', parts: [{ text: says }] }] }),
  },
];

const providers = [
  { provider: 'openai', answer: openaiAnswer, stream: openaiStream },
  { provider: 'anthropic', answer: anthropicAnswer, stream: anthropicStream },
] as const;

const pairs = clients.flatMap((client) => providers.map((provider) => ({ ...client, ...provider })));

interface Asked {
  readonly path: string;
  readonly body: object;
  readonly provider: string;
  readonly config?: object;
}

const ask = async ({ path, body, provider, config = repairing }: Asked) => {
  const before = upstream.requests.length;
  const target = { provider, api_key: 'k', custom_host: `${upstream.origin}/v1`, ...config };
  const response = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(target) },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    text: await response.text(),
    sent: upstream.requests.slice(before).map(({ body: bytes }) => bytes.toString()),
  };
};

/** Answers the first request with the first handler, and each later request with the second one. */
const answering = (first: UpstreamHandler, second: UpstreamHandler): void => {
  let calls = 0;
  upstream.handle((call) => {
    calls += 1;
    return calls === 1 ? first(call) : second(call);
  });
};

const broken = (call: UpstreamCall): void => call.json({ error: { message: 'broken' } }, { status: 500 });

const toRoles = (sent: string | undefined): unknown =>
  JSON.parse(sent ?? '{}').messages.map(({ role }: { readonly role: string }) => role);

describe.each(pairs)(
  'a client of $name at $provider',
  ({ name, path, streamPath = path, body, provider, answer, stream }) => {
    const whole =
      (text: string): UpstreamHandler =>
      (call) =>
        call.json(answer({ text }));
    const streamed =
      (text: string): UpstreamHandler =>
      (call) => {
        const sse = call.sse();
        for (const frame of stream({ text })) sse.send(frame);
        sse.end();
      };
    const streamBody = name === 'gemini' ? body('Who?') : { ...body('Who?'), stream: true };

    const expectRepair = (sent: readonly string[]): void => {
      expect(sent).toHaveLength(2);
      expect(toRoles(sent[0])).toEqual(['user']);
      expect(toRoles(sent[1])).toEqual(['user', 'assistant', 'user']);
      expect(sent[1]).toContain(JSON.stringify(wrong).slice(1, -1));
      expect(sent[1]).toContain(finding);
    };

    it('gets the answer of a model that was asked to correct its mistake', async () => {
      answering(whole(wrong), whole(right));
      const { status, text, sent } = await ask({ path, body: body('Who?'), provider });
      expect(status).toBe(200);
      expect(text).toContain('Ada');
      expect(text).not.toMatch(/(?<![0-9a-f])1815(?![0-9a-f])/);
      expect(text).toContain('"retried":true');
      expectRepair(sent);
    });

    it('gets a denial if the model repeats its mistake', async () => {
      answering(whole(wrong), whole('I cannot.'));
      const { status, text, sent } = await ask({ path, body: body('Who?'), provider });
      expect(status).toBe(446);
      expect(text).toContain('The answer has no JSON');
      expect(sent).toHaveLength(2);
    });

    it('gets the finding about the first answer if the second attempt fails', async () => {
      answering(whole(wrong), broken);
      const { status, text, sent } = await ask({ path, body: body('Who?'), provider });
      expect(status).toBe(446);
      expect(text).toContain(finding);
      expect(sent).toHaveLength(2);
    });

    it('gets the corrected answer as a stream', async () => {
      answering(streamed(wrong), streamed(right));
      const { status, text, sent } = await ask({ path: streamPath, body: streamBody, provider });
      expect(status).toBe(200);
      expect(text).toContain('Ada');
      expect(text).not.toMatch(/(?<![0-9a-f])1815(?![0-9a-f])/);
      expectRepair(sent);
    });

    it('gets its own data back, which the model never receives', async () => {
      const email = 'ada@example.org';
      const toPlaceholder = (call: UpstreamCall): string =>
        /\[EMAIL_\w+\]/.exec(call.request.body.toString())?.[0] ?? '';
      answering(
        (call) => call.json(answer({ text: `{"name": 1, "mail": "${toPlaceholder(call)}"}` })),
        (call) => call.json(answer({ text: `{"name": "${toPlaceholder(call)}"}` })),
      );
      const config = { ...repairing, input_guardrails: [{ 'default.pii': { action: 'redact-reversibly' } }] };
      const { status, text, sent } = await ask({ path, body: body(`I am ${email}.`), provider, config });
      expect(status).toBe(200);
      expect(text).toContain(email);
      expect(sent).toHaveLength(2);
      for (const one of sent) {
        expect(one).toMatch(/\[EMAIL_\w+\]/);
        expect(one).not.toContain(email);
      }
    });
  },
);
