import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Framing } from '../../../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { type GatewayResponse, headerValue, type Sink } from '../../../../../plugins/sdk/http/http.ts';
import { hiddenInErrors } from '../../../../../runtime/engine/attempt/answer/without-credential.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { tongueWith } from '../../../../support/plugins/tongue.ts';
import { recordingSink } from '../../../streams/kit.ts';

const config = { provider: 'openai', api_key: '${env:KEY}' };
/** The value of the reference. */
const secret = 'secret of env:key';

/** Returns the pieces of a streamed body. */
const collected = async (body: GatewayResponse['body']): Promise<readonly Buffer[]> => {
  if (body.kind !== 'stream') throw new Error('It is no stream.');
  const chunks: Buffer[] = [];
  await new Promise<void>((end, fail) =>
    body.start({
      write: (chunk) => {
        chunks.push(Buffer.from(chunk));
        return true;
      },
      onDrain: () => {},
      end,
      fail: ({ message }) => fail(new Error(message)),
    }),
  );
  return chunks;
};

interface PassedAnswer {
  readonly headers: GatewayResponse['headers'];
  readonly chunks: readonly Buffer[];
}

/** Returns the response to a passed-through request whose answer is written by `write`. */
const passedResponse = (
  write: (sink: Sink) => void,
  {
    status = 500,
    lines = [],
    method = 'GET',
    provider = 'openai',
  }: { status?: number; lines?: GatewayResponse['headers']; method?: string; provider?: string } = {},
): Promise<GatewayResponse> => {
  const { handle } = runConfig(
    { ...config, provider },
    {
      upstream: () => {
        const body = new StubBody('');
        body.start = write;
        return { kind: 'answer', status, headers: lines, body };
      },
      plugins: [tongueWith({ tongue: '/say' })],
    },
  );
  const exchange = sampleExchange({}, { route: { operation: 'opaque' } });
  return handle({ ...exchange, request: { ...exchange.request, method } });
};

/** Returns what is passed on of a passed-through answer that arrives in these pieces. */
const passedAnswer = async (
  status: number,
  pieces: readonly Buffer[],
  lines: GatewayResponse['headers'] = [],
): Promise<PassedAnswer> => {
  const write = (sink: Sink): void => {
    for (const piece of pieces) sink.write(piece);
    sink.end();
  };
  const { headers, body } = await passedResponse(write, { status, lines });
  return { headers, chunks: await collected(body) };
};

/** Returns only the pieces that are passed on. */
const passed = async (status: number, pieces: readonly Buffer[]): Promise<readonly Buffer[]> =>
  (await passedAnswer(status, pieces)).chunks;

const answered = (answer: ReturnType<typeof stubAnswer>): Promise<GatewayResponse> =>
  runConfig(config, { upstream: () => answer }).handle(sampleExchange({ model: 'm', messages: [] }));

const hidden = '*'.repeat(secret.length);

describe('hiding a credential that an upstream quotes', () => {
  it('covers the body and the headers of an error', async () => {
    const error = { error: { message: `Wrong key: ${secret}` } };
    const { status, headers, body } = await answered(
      stubAnswer(error, { status: 401, headers: ['content-type', 'application/json', 'x-seen', `Bearer ${secret}`] }),
    );
    expect(status).toBe(401);
    expect(headers).toContain(`Bearer ${hidden}`);
    expect(body.kind === 'bytes' && Buffer.from(body.bytes).toString()).toBe(
      JSON.stringify({ error: { message: `Wrong key: ${hidden}` } }),
    );
  });

  it('covers the address of a redirect', async () => {
    const location = `https://host.example/?key=${encodeURIComponent(secret)}`;
    const { headers } = await passedAnswer(307, [], ['location', location]);
    expect(headers).toContain(`https://host.example/?key=${'*'.repeat(encodeURIComponent(secret).length)}`);
  });

  it('works with pieces of any length, and neither changes nor holds back anything else', async () => {
    const texts = fc.array(fc.constantFrom(secret, 'secret', ' of', ' env:', secret.slice(0, 9), 'é', '\n'), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(12)), async (parts, lengths) => {
        let rest = Buffer.from(parts.join(''));
        const pieces = lengths.map((length) => {
          const piece = rest.subarray(0, length);
          rest = rest.subarray(length);
          return piece;
        });
        const chunks = await passed(500, [...pieces, rest]);
        expect(Buffer.concat(chunks).toString()).toBe(parts.join('').replaceAll(secret, hidden));
        expect(chunks.every(({ length }) => length > 0)).toBe(true);
      }),
    );
    expect(await passed(500, [Buffer.from('all of it'), Buffer.from('and more')])).toHaveLength(2);
  });

  it('waits while the client is full', async () => {
    const { body } = await passedResponse((sink) => {
      const goOn = (): void => {
        sink.write(Buffer.from('and more'));
        sink.end();
      };
      if (sink.write(Buffer.from('all of it '))) goOn();
      else sink.onDrain(goOn);
    });
    const client = recordingSink();
    client.full = true;
    if (body.kind === 'stream') body.start(client);
    expect(client.text).toBe('all of it ');
    client.drain();
    expect(client.text).toBe('all of it and more');
    expect(await client.ended).toBe('end');
  });

  it('passes on what may have been its beginning if the answer breaks off', async () => {
    const lost = errorReport('connection-lost', { host: 'h', reason: 'it was closed.' });
    const { body } = await passedResponse((sink) => {
      sink.write(Buffer.from(`Wrong key: ${secret.slice(0, 9)}`));
      sink.fail(lost);
    });
    const client = recordingSink();
    const ends: string[] = [];
    if (body.kind === 'stream') {
      body.onEnd((end) => ends.push(end));
      body.start(client);
    }
    expect([client.text, client.error]).toEqual([`Wrong key: ${secret.slice(0, 9)}`, lost]);
    expect(ends).toEqual(['failed']);
  });

  it('ends if the client disconnects', async () => {
    const { body } = await passedResponse(() => {});
    const ends: string[] = [];
    if (body.kind === 'stream') {
      body.onEnd((end) => ends.push(end));
      body.discard();
    }
    expect(ends).toEqual(['left']);
  });

  it('covers the token that was obtained for the credential', async () => {
    const token = 'a-token-of-an-hour';
    const world = (error: (authorization: string) => ReturnType<typeof stubAnswer>) =>
      runConfig(
        { provider: 'watsonx', api_key: '${env:KEY}' },
        {
          upstream: ({ origin, headers }) =>
            origin.includes('//iam.')
              ? stubAnswer({ access_token: token, expires_in: 3600 }, { headers: ['content-type', 'application/json'] })
              : error(headerValue(headers, 'authorization') ?? ''),
        },
      );
    const refused = world((sent) => stubAnswer({ error: { message: `Wrong: ${sent}` } }, { status: 401 }));
    const content = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';
    const broken = world((sent) =>
      stubAnswer(`${content}data: {"error":{"message":"Wrong: ${sent}"}}\n\n`, {
        headers: ['content-type', 'text/event-stream'],
      }),
    );
    const wanted = `Wrong: Bearer ${'*'.repeat(token.length)}`;
    const { body } = await refused.handle(sampleExchange({ model: 'm', messages: [] }));
    expect(body.kind === 'bytes' && Buffer.from(body.bytes).toString()).toContain(wanted);
    const streamed = await broken.handle(sampleExchange({ model: 'm', messages: [], stream: true }));
    expect(Buffer.concat(await collected(streamed.body)).toString()).toContain(wanted);
  });

  it.each([
    ['gzip', gzipSync],
    ['BR', brotliCompressSync],
  ])('covers a passed-through error that is encoded as %s', async (encoding, encode) => {
    const bytes = encode(`Wrong key: ${secret}`);
    const lines = ['content-encoding', encoding, 'content-length', String(bytes.length), 'content-type', 'text/plain'];
    const { headers, chunks } = await passedAnswer(401, [bytes.subarray(0, 9), bytes.subarray(9)], lines);
    expect(Buffer.concat(chunks).toString()).toBe(`Wrong key: ${hidden}`);
    expect(headers.slice(0, 2)).toEqual(['content-type', 'text/plain']);
    expect(headers.join()).not.toMatch(/content-(?:encoding|length)/i);
  });

  it('covers the encoded page of an answer that is neither a success nor an error', async () => {
    const bytes = gzipSync(`Choose: ${secret}`);
    const { chunks } = await passedAnswer(300, [bytes], ['content-encoding', 'gzip']);
    expect(Buffer.concat(chunks).toString()).toBe(`Choose: ${hidden}`);
  });

  it.each([
    ['to a HEAD request', { method: 'HEAD', status: 401, encoding: 'gzip' }],
    ['without content', { status: 304, encoding: 'gzip' }],
    ['with an unknown encoding', { status: 401, encoding: 'own' }],
    ['of a provider without a credential', { provider: 'own', status: 401, encoding: 'gzip' }],
  ])('leaves an answer %s encoded', async (_which, { encoding, ...of }) => {
    const lines = ['content-encoding', encoding, 'content-length', '40'];
    const { headers, body } = await passedResponse((sink) => sink.end(), { ...of, lines });
    expect(headers.slice(0, 4)).toEqual(lines);
    expect(await collected(body)).toEqual([]);
  });

  it('accepts an empty answer that declares an encoding', async () => {
    expect((await passedAnswer(404, [], ['content-encoding', 'gzip', 'content-length', '0'])).chunks).toEqual([]);
  });

  it('leaves a successful answer encoded', async () => {
    const bytes = gzipSync('all of it');
    const { headers, chunks } = await passedAnswer(200, [bytes], ['content-encoding', 'gzip']);
    expect(headers.slice(0, 2)).toEqual(['content-encoding', 'gzip']);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  it('leaves a successful answer unchanged', async () => {
    expect(Buffer.concat(await passed(200, [Buffer.from(secret)])).toString()).toBe(secret);
  });
});

describe('hiding a credential in the errors of a stream', () => {
  const credential = { api_key: secret };
  const inEach = (framing: Framing, text: string): Buffer =>
    framing.createWriter().write([
      { event: 'exception', data: JSON.stringify({ text }), headers: { ':message-type': 'exception', note: text } },
      { event: 'end', data: '{}' },
    ]);

  it.each([framings.sse, framings['aws-eventstream']])('changes nothing else in $id', (framing) => {
    const found = hiddenInErrors(credential, framing);
    expect(found?.frames(inEach(framing, secret)).equals(inEach(framing, hidden))).toBe(true);
    expect(found?.text(`Wrong key: ${secret}`)).toBe(`Wrong key: ${hidden}`);
    const harmless = inEach(framing, 'No.');
    expect(found?.frames(harmless)).toBe(harmless);
  });

  it('keeps the comments of server-sent events', () => {
    const found = hiddenInErrors(credential, framings.sse);
    const frame = (text: string): Buffer => Buffer.from(`: heartbeat\r\ndata: ${text}\r\n\r\n`);
    expect(found?.frames(frame(secret))).toEqual(frame(hidden));
  });

  it('is not needed without a credential', () => {
    expect(hiddenInErrors({}, framings.sse)).toBeUndefined();
  });
});
