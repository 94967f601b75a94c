import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { requireResults } from '../../../../../plugins/control/work/batches/batch/batch-lines.ts';
import { lineCodec } from '../../../../../plugins/control/work/batches/batch/line-codec.ts';
import { batchAdapters } from '../../../../../plugins/control/work/batches/providers/adapters.ts';
import type { RemoteBatch } from '../../../../../plugins/control/work/batches/providers/batch-adapter.ts';
import { tuningExecutors } from '../../../../../plugins/control/work/fine-tuning/executors/executors.ts';
import type { Account } from '../../../../../plugins/control/work/provider-requests/account.ts';
import { requireSame } from '../../../../../plugins/control/work/provider-requests/request-json.ts';
import { loadCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';

const unprintable = { toString: [1], valueOf: [1] };

const settings = { cloudb_region: 'europe-west4', fireworks_account_id: 'ours' };

/** Returns an account whose provider sends the same answer to every request. */
const answering = (provider: string, answer: object): Account => {
  const body = { kind: 'bytes', bytes: Buffer.from(JSON.stringify(answer)) };
  return {
    ...{ provider, settings, headers: [], slug: provider },
    send: async () => ({ status: 200, headers: [], origin: 'upstream', body }),
  } as unknown as Account;
};

const batch: RemoteBatch = {
  ...{ id: 'b', status: 'completed', members: { created_at: 1 }, counts: { total: 1, completed: 1, failed: 0 } },
  raw: { model: 'm', modelId: 'm', endpoint: '/v1/chat/completions' },
};

/** Lines of results whose body is not an answer to a chat, by provider. */
const lines: Readonly<Record<string, (wire: Json) => JsonObject>> = {
  anthropic: (message) => ({ custom_id: 'a', result: { type: 'succeeded', message } }),
  bedrock: (modelOutput) => ({ recordId: 'a', modelOutput }),
  cohere: (body) => ({ custom_id: 'a', error: '', body }),
  'mistral-ai': (body) => ({ custom_id: 'a', response: { status_code: 200, body } }),
  'vertex-ai': (response) => ({ custom_id: 'a', status: '', response }),
};

const call = { type: 'tool_use', id: 'c', name: '', input: { a: 1 } };
const message = { type: 'message', role: 'assistant', model: 'm', content: [call], stop_reason: 'tool_use' };

/** Answers that call a tool without a name, by provider. Batches of Mistral have the format of chats. */
const namelessCalls: Readonly<Record<string, JsonObject>> = {
  anthropic: message,
  bedrock: {
    output: { message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: '', input: { a: 1 } } }] } },
    stopReason: 'tool_use',
  },
  cohere: {
    message: { tool_calls: [{ id: 'c', type: 'function', function: { name: '', arguments: '{"a":1}' } }] },
    finish_reason: 'TOOL_CALL',
  },
  'vertex-ai': {
    candidates: [{ content: { parts: [{ functionCall: { name: '', args: { a: 1 } } }] }, finishReason: 'STOP' }],
  },
};

describe.each([...batchAdapters])('a batch of %s', (provider, adapter) => {
  it('has a result for a line whose body is not an answer', async () => {
    const codec = lineCodec(await loadCatalogue(builtinPlugins), { provider, settings } as unknown as Account);
    for (const wire of [{}, { content: unprintable, choices: [unprintable], candidates: 1 }, { error: unprintable }]) {
      const line = lines[provider]?.(wire);
      if (line === undefined) throw new Error(`There is no line of ${provider}.`);
      const { text } = adapter.toResult(line, batch, codec);
      expect(parseObject(text)).toMatchObject({ custom_id: 'a' });
    }
  });

  it('has a failed result for a line whose answer calls a tool without a name', async () => {
    const codec = lineCodec(await loadCatalogue(builtinPlugins), { provider, settings } as unknown as Account);
    const wire = namelessCalls[provider];
    if (wire === undefined) return;
    const { text } = adapter.toResult(lines[provider]?.(wire) ?? {}, batch, codec);
    expect(parseObject(text)).toMatchObject({
      response: { status_code: 500, body: { error: { message: expect.stringContaining('a tool call has no name') } } },
    });
  });

  it('counts as in progress if its state is a name that every object inherits', async () => {
    for (const word of ['constructor', '__proto__', unprintable, null]) {
      const raw = { id: 'b', name: 'x/b', jobArn: 'x/b', status: word, state: word, processing_status: word };
      const answer = { ...raw, batch: raw, total_requests: unprintable, completionStats: { failedCount: unprintable } };
      const found = await adapter.retrieve('b', answering(provider, answer));
      expect([found.status, found.counts]).toEqual(['in_progress', { total: 0, completed: 0, failed: 0 }]);
    }
  });
});

it.each([...tuningExecutors])(
  'a fine-tuning job of %s can be read, whatever its members are',
  async (provider, executor) => {
    for (const state of ['JOB_STATE_FAILED', 'Failed', 'failed', 'constructor']) {
      const raw = { name: 'x/b', jobName: 'b', id: 'b', state, status: state, error: { code: unprintable } };
      const answer = { ...raw, tuningDataStats: unprintable, supervisedTuningSpec: { hyperParameters: unprintable } };
      expect(await executor.retrieve('b', answering(provider, answer))).toMatchObject({ id: 'b' });
    }
  },
);

describe('an answer of a provider', () => {
  const account = { provider: 'openai' };

  it('is refused if it describes a different object than the requested one', () => {
    expect(requireSame(account, { id: 'b' }, { id: 'arn:x/b', what: 'batch' })).toEqual({ id: 'b' });
    for (const id of ['c', '', undefined, null, 1])
      expect(() => requireSame(account, { id }, { id: 'b', what: 'batch' })).toThrow(
        'does not follow its documented format',
      );
  });

  it('is refused if it has no results although its batch has some', async () => {
    const read = async (results: readonly string[], status: string, completed: number): Promise<number> => {
      const all = (async function* () {
        yield* results;
      })();
      let count = 0;
      for await (const _ of requireResults(all, { status, counts: { completed, failed: 0 } }, account)) count += 1;
      return count;
    };
    await expect(read([], 'completed', 2)).rejects.toThrow('its batch has no results');
    expect([await read(['a'], 'completed', 2), await read([], 'completed', 0), await read([], 'expired', 2)]).toEqual([
      ...[1, 0, 0],
    ]);
  });
});
