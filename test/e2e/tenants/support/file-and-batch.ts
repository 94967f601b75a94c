import { expect, vi } from 'vitest';
import { patience } from '../../../support/run/patience.ts';
import { ask } from './asking.ts';
import type { Tenant } from './tenant-world.ts';

/**
 * Returns the headers that select the provider for a path: requests for files use the gateway's, and those for jobs name a
 * virtual key.
 */
export const headersFor = (path: string, name: string): Readonly<Record<string, string>> => {
  if (path.startsWith('/batches')) return { 'x-gw-virtual-key': `${name}-virtual-key` };
  if (path.startsWith('/fine_tuning')) return { 'x-gw-virtual-key': `${name}-tuning` };
  return path.startsWith('/files') ? { 'x-gw-provider': 'gw' } : {};
};

/** Returns the ids of a file and of a batch. The batch has ended because its file has no requests. Names begin with `name`. */
export const saveFileAndBatch = async (
  origin: string,
  { key }: Tenant,
  name: string,
): Promise<readonly [file: string, batch: string]> => {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob([`{"of":"${name}"}\n`]), `${name}.jsonl`);
  const headers = { 'x-gw-api-key': key, ...headersFor('/files', name) };
  const kept = await fetch(`${origin}/v1/files`, { method: 'POST', headers, body: form });
  const { id: file } = (await kept.json()) as { readonly id: string };
  const asking = { key, headers: headersFor('/batches', name) };
  const body = { input_file_id: file, endpoint: '/v1/chat/completions', completion_window: 'immediate' };
  const { id: batch } = JSON.parse((await ask(origin, 'POST /v1/batches', { ...asking, body })).text);
  await vi.waitFor(async () => {
    const { text } = await ask(origin, `GET /v1/batches/${batch}`, asking);
    expect(JSON.parse(text).status).toBe('failed');
  }, patience);
  return [file, batch];
};

/** Returns the id of a fine-tuning job that learns from a file, in an account of its own. */
export const saveTuningJob = async (
  origin: string,
  { key, credential, jobs }: Tenant,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<string> => {
  const settings = { custom_host: `${jobs.origin}/v1`, unknown_ids: 'refuse' };
  const account = { provider: 'openai', settings };
  const virtualKey = {
    name: `${name} tuning`,
    slug: `${name}-tuning`,
    ...account,
    credential: { api_key: credential },
  };
  await ask(origin, 'POST /v1/virtual-keys', { key, body: virtualKey });
  const body = { model: 'm', training_file: file, suffix: name, method: { type: 'supervised' } };
  const headers = headersFor('/fine_tuning', name);
  const { status, text } = await ask(origin, 'POST /v1/fine_tuning/jobs', { key, headers, body });
  expect(status, text).toBe(200);
  return JSON.parse(text).id;
};
