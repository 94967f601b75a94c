import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { patience } from '../../support/run/patience.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { sound } from './support.ts';

const world = gatewayAndUpstream({ env: { GW_LOG: 'requests' } });

/** Returns the usage in the log of a transcription that a provider answers with this. */
const usageOf = async (provider: string, model: string, answer: JsonObject): Promise<UsageRecord> => {
  world.upstream.handle((call) => call.json(answer));
  const form = new FormData();
  form.append('file', new File([sound(100)], 'a.mp3', { type: 'audio/mpeg' }));
  form.append('model', model);
  const config = { provider, api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
  const response = await fetch(`${world.gateway.baseUrl}/audio/transcriptions`, {
    method: 'POST',
    headers: { 'x-gw-config': JSON.stringify(config), 'x-gw-usage': 'true' },
    body: form,
  });
  expect([response.status, await response.json()]).toEqual([200, answer]);
  const trace = response.headers.get('x-gw-trace-id');
  const find = () =>
    world.gateway.records().find((record) => record.trace === trace)?.trail as JsonObject[] | undefined;
  await vi.waitUntil(find, patience);
  return find()?.find(({ kind }) => kind === 'settled')?.usage as unknown as UsageRecord;
};

describe('the cost of a transcription by a model that is charged by time', () => {
  it('is that of the seconds that the provider reports', async () => {
    const usage = { type: 'duration', seconds: 10 };
    const whisper = await usageOf('openai', 'whisper-1', { text: 'Hi.', usage });
    expect(whisper.cost?.nanoUsd).toBe((10 * 0.36e9) / 3600);
    const seconds = { prompt_audio_seconds: 36, prompt_tokens: 13, completion_tokens: 151, total_tokens: 164 };
    const voxtral = await usageOf('mistral-ai', 'voxtral-mini-2602', {
      ...{ model: 'voxtral-mini-2602', text: 'Hi.', language: null, segments: [] },
      usage: seconds,
    });
    expect(voxtral).toMatchObject({ kind: 'reported', input: { total: 13 }, output: { total: 151 }, audioSeconds: 36 });
    expect(voxtral.cost?.nanoUsd).toBe((36 * 0.18e9) / 3600);
  });

  it('is unknown, rather than nothing, if the provider reports no seconds', async () => {
    const whisper = await usageOf('groq', 'whisper-large-v3', { text: ' Hi.', x_groq: { id: 'req_1' } });
    expect(whisper.kind).toBe('estimated');
    expect(whisper).not.toHaveProperty('cost');
  });
});
