import { expect } from 'vitest';
import { ask } from './asking.ts';
import type { Tenant } from './tenant-world.ts';

/** What requests for a path say of providers: those for files are for the gateway's, those for jobs name a virtual key. */
export const headersFor = (path: string, name: string): Readonly<Record<string, string>> => {
  if (path.startsWith('/batches') || path.startsWith('/fine_tuning'))
    return { 'x-gw-virtual-key': `${name}-virtual-key` };
  return path.startsWith('/files') ? { 'x-gw-provider': 'gw' } : {};
};

/** The ids of a file, and of a batch that has ended since the file has no request in it. Names begin with `name`. */
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
  await expect
    .poll(async () => JSON.parse((await ask(origin, `GET /v1/batches/${batch}`, asking)).text).status)
    .toBe('failed');
  return [file, batch];
};
