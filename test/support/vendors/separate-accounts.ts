import { startUpstream, type TestUpstream, type UpstreamCall } from '../servers/upstream-server.ts';
import { openaiAnswer, openaiError } from './openai-wire.ts';

/** A provider whose keys each belong to a different account, which stores what is created with it and knows nothing else. */
export interface SeparateAccounts extends TestUpstream {
  /** Returns the keys of all requests since the last call. */
  takeUsed(): readonly string[];
  /** The unknown ids that an account was asked for, each with its key. */
  readonly missed: readonly string[];
}

const named = /(?:file-|batch_|ftjob-|resp_|cachedContents\/)\d{6}/g;

const signature = (key: string): string => Buffer.from(`a signature of ${key}`).toString('base64');

/** A Gemini answer with a call that an account has signed. */
const signedCall = (key: string): object => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: { city: 'Graz' } }, thoughtSignature: signature(key) }],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'gemini-3-pro',
});

export const startSeparateAccounts = async (): Promise<SeparateAccounts> => {
  const owners = new Map<string, string>();
  const missed: string[] = [];
  let used: string[] = [];

  const make = (key: string, prefix: string): string => {
    const id = `${prefix}${String(owners.size + 1).padStart(6, '0')}`;
    owners.set(id, key);
    return id;
  };

  const made = (call: UpstreamCall, key: string): object | undefined => {
    const { method, path } = call.request;
    const [resource = ''] = path.replace(/^\/v1(?:beta)?\//, '').split(/[/?:]/);
    if (method !== 'POST') return undefined;
    const kinds: Readonly<Record<string, () => object>> = {
      files: () => ({ id: make(key, 'file-'), object: 'file', purpose: 'batch', bytes: 3, filename: 'a.jsonl' }),
      batches: () => ({
        ...{ id: make(key, 'batch_'), object: 'batch', status: 'completed', endpoint: '/v1/chat/completions' },
        ...{ input_file_id: call.request.json().input_file_id, output_file_id: make(key, 'file-') },
      }),
      fine_tuning: () => ({ id: make(key, 'ftjob-'), object: 'fine_tuning.job', status: 'running', model: 'gpt-4o' }),
      responses: () => ({
        ...{ id: make(key, 'resp_'), object: 'response', status: 'completed', store: true, model: 'gpt-4o' },
        output: [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
          },
        ],
      }),
      cachedContents: () => ({ name: make(key, 'cachedContents/') }),
      chat: () => openaiAnswer({ text: 'Yes.' }),
      models: () => signedCall(key),
    };
    return kinds[resource]?.();
  };

  const upstream = await startUpstream((call) => {
    const { path, body } = call.request;
    const key =
      call.request.header('x-goog-api-key') ?? (call.request.header('authorization') ?? '').slice('Bearer '.length);
    const text = body.toString();
    used.push(key);
    const ids = [...`${decodeURIComponent(path)} ${text}`.matchAll(named)].map(([id]) => id);
    const lacking = ids.filter((id) => owners.get(id) !== key);
    const signed = [...text.matchAll(/"thoughtSignature":"([^"]*)"/g)].map(([, each]) => each);
    if (signed.some((each) => each !== signature(key))) lacking.push('a signature');
    if (lacking.length > 0) {
      missed.push(...lacking.map((id) => `${id} with ${key}`));
      call.json(openaiError(`No such thing: ${lacking[0]}`, 'invalid_request_error', 'not_found'), { status: 404 });
    } else if (path.endsWith('/content')) call.answer({ body: '{}\n' });
    else {
      const id = ids[0] ?? '';
      const kinds = { file: 'file', batch: 'batch', ftjob: 'fine_tuning.job', resp: 'response' };
      const [, object] = Object.entries(kinds).find(([prefix]) => id.startsWith(prefix)) ?? [];
      call.json(made(call, key) ?? { id, object, status: 'completed', deleted: call.request.method === 'DELETE' });
    }
  });
  return Object.assign(upstream, {
    missed,
    takeUsed: () => {
      const taken = used;
      used = [];
      return taken;
    },
  });
};
