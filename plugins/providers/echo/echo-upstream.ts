import { text as readText } from 'node:stream/consumers';
import { errorReport } from '../../../schema/errors/errors.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import {
  headerValue,
  type RequestBody,
  type Scope,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../../sdk/http/http.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { type BodyStep, scriptedBody } from '../../sdk/http/scripted-body.ts';
import { toBuffer } from '../../sdk/http/to-buffer.ts';
import { wait } from '../../sdk/time/wait.ts';
import { EchoControlError, echoControls } from './echo-controls.ts';
import { type EchoReply, echoReply, errorReply } from './echo-replies.ts';

const readBody = async (body: RequestBody): Promise<string> => {
  switch (body.kind) {
    case 'none':
      return '';
    case 'bytes':
      return toBuffer(body.bytes).toString('utf8');
    case 'form':
      return await readText(body.form.open());
    case 'stream':
      return await readText(body.stream);
  }
};

/** Returns the reply for a path without its own reply: the request's body. */
const sameBytes = async ({ body, headers }: UpstreamRequest): Promise<EchoReply> => {
  const steps: BodyStep[] = [];
  if (body.kind === 'bytes') steps.push({ bytes: body.bytes });
  if (body.kind === 'form') for await (const chunk of body.form.open()) steps.push({ bytes: Buffer.from(chunk) });
  if (body.kind === 'stream') for await (const chunk of body.stream) steps.push({ bytes: Buffer.from(chunk) });
  const type = headerValue(headers, 'content-type');
  return {
    status: 200,
    headers: type === undefined ? [] : ['content-type', type],
    script: { steps, end: 'complete' },
  };
};

const findOperation = ({ method, path }: UpstreamRequest): 'chat' | 'embeddings' | undefined => {
  if (method !== 'POST') return undefined;
  if (/\/chat\/completions(\?|$)/.test(path)) return 'chat';
  return /\/embeddings(\?|$)/.test(path) ? 'embeddings' : undefined;
};

/** The in-process upstream of the echo provider. */
export class EchoUpstream implements Upstream {
  readonly #timers: Timers;
  #answers = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  async send(request: UpstreamRequest, { cancellation }: Scope): Promise<UpstreamAnswer> {
    const { reply, delayMs } = await this.#answer(request);
    if (delayMs > 0 && !(await wait(delayMs, this.#timers, cancellation)))
      return {
        kind: 'failure',
        error: errorReport('connection-lost', { host: 'echo', reason: 'the request was cancelled.' }),
      };
    const { status, headers, script } = reply;
    return { kind: 'answer', status, headers, body: scriptedBody(script, { timers: this.#timers, cancellation }) };
  }

  async #answer(request: UpstreamRequest): Promise<{ readonly reply: EchoReply; readonly delayMs: number }> {
    const operation = findOperation(request);
    if (operation === undefined) return { reply: await sameBytes(request), delayMs: 0 };
    const body = parseObject(await readBody(request.body));
    if (body === undefined) return { reply: errorReply(400, 'The body is not a JSON object.'), delayMs: 0 };
    try {
      const controls = echoControls(body);
      this.#answers += 1;
      const created = Math.floor(this.#timers.wall() / 1000);
      const stamp = { id: `gw-echo-${created.toString(36)}-${this.#answers}`, created };
      return { reply: echoReply(operation, { body, controls, stamp }), delayMs: controls.delay_ms };
    } catch (error) {
      if (error instanceof EchoControlError) return { reply: errorReply(400, error.message), delayMs: 0 };
      throw error;
    }
  }
}
