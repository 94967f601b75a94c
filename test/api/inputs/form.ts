import type { World } from '../run/world.ts';
import type { SentBody } from './body.ts';

const boundary = 'boundary-of-the-run';

const part = (disposition: string, content: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

const fields = {
  purpose: (value: string): string => part('name="purpose"', value),
  file: (name: string, content: string): string => part(`name="file"; filename="${name}"`, content),
  anchor: part('name="expires_after[anchor]"', 'created_at'),
  seconds: (value: string): string => part('name="expires_after[seconds]"', value),
};

const end = `--${boundary}--\r\n`;

/** Generates a form with a file, valid or not, and the headers that describe it. */
export const formFor = ({ random }: World): SentBody => {
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const ours = { ...type, 'x-gw-provider': 'gw' };
  const purpose = random.pick(['batch', 'fine-tune', 'assistants', 'vision', 'user_data', 'evals']);
  const parts = [
    fields.purpose(purpose),
    fields.file(random.pick(['a.jsonl', 'ä%22.jsonl', '../x', 'x'.repeat(255)]), 'line\n'.repeat(random.below(2_000))),
    ...(random.oneIn(4) ? [fields.anchor, fields.seconds(String(3_600 + random.below(1_000)))] : []),
  ];
  const form = (random.oneIn(2) ? parts : parts.toReversed()).join('') + end;
  if (random.below(100) < 60) return { bytes: Buffer.from(form), headers: ours };
  const odd = random.pick<() => SentBody>([
    () => ({ bytes: Buffer.from(form), headers: type }),
    () => ({ bytes: Buffer.from(form.slice(0, random.below(form.length))), headers: ours }),
    () => ({ bytes: Buffer.from(parts.slice(1).join('') + end), headers: ours }),
    () => ({ bytes: Buffer.from(parts.join('') + parts.join('') + end), headers: ours }),
    () => ({ bytes: Buffer.from(fields.purpose(random.pick(['', 'fun', 'x'.repeat(2_000)])) + form), headers: ours }),
    () => ({
      bytes: Buffer.from(fields.seconds(random.pick(['', '-1', '1e9', '3599', '99999999999'])) + form),
      headers: ours,
    }),
    () => ({
      bytes: Buffer.from(fields.file(random.pick(['', 'a\u0000', 'a%0d%0a', 'x'.repeat(256)]), 'x') + end),
      headers: ours,
    }),
    () => ({ bytes: Buffer.from(part('name="colour"', 'red') + form), headers: ours }),
    () => ({ bytes: Buffer.from(form), headers: { ...ours, 'transfer-encoding': 'chunked' } }),
    () => ({ bytes: Buffer.from(form), headers: { ...ours, 'content-encoding': random.pick(['gzip', 'identity']) } }),
    () => ({
      bytes: Buffer.from(form),
      headers: { ...ours, 'content-type': random.pick(['multipart/form-data', 'text/plain', '']) },
    }),
    () => ({ bytes: Buffer.from(form), headers: { ...ours, 'content-type': 'multipart/form-data; boundary=another' } }),
    () => ({ headers: ours }),
  ]);
  return odd();
};
