import type { Case } from './case.ts';

interface FileCase {
  readonly slug: string;
  readonly purpose: string;
  /** Whether the file API is OpenAI's, whose answers are passed on. */
  readonly isPassed: boolean;
}

/** Uploads, lists, reads and deletes a file while answers are wrong, and again when they are right. */
export const fileCase = async (
  { random, vendor, ask, note }: Case,
  { slug, purpose, isPassed }: FileCase,
): Promise<void> => {
  const headers = { 'x-gw-virtual-key': slug };
  const form = (): FormData => {
    const body = new FormData();
    body.append('purpose', purpose);
    body.append('file', new Blob(['{"text":"Hello!"}\n'.repeat(9)]), 'lines.jsonl');
    return body;
  };
  const create = () => ask({ operation: 'create_file', path: '/files', headers, body: form(), isPassed });
  if (random.oneIn(2)) {
    vendor.begin(random, 'any', 1 + random.below(2));
    await create();
    vendor.end();
  }
  const made = await create();
  note(made.status === 200, 'a file is sent again after a bad answer');
  const id = encodeURIComponent(String(made.body.id));
  const get = () => ask({ operation: 'get_file', path: `/files/${id}`, headers, isPassed });
  const asks = [
    ...[get, get],
    () => ask({ operation: 'list_files', path: '/files?limit=5', headers, isPassed }),
    () => ask({ operation: 'get_file_content', path: `/files/${id}/content`, headers, isPassed: true }),
  ];
  vendor.begin(random, 'any', 5);
  for (let left = 3; left > 0; left -= 1) await random.pick(asks)();
  vendor.begin(random, 'endless', Number.POSITIVE_INFINITY);
  if (random.oneIn(4)) await ask({ operation: 'list_files', path: '/files?limit=5', headers, isPassed });
  vendor.begin(random, 'each value', Number.POSITIVE_INFINITY);
  for (let left = 6; left > 0; left -= 1) await random.pick(asks)();
  vendor.end();
  note((await get()).status === 200, 'a file is not shown when answers are right again');
  vendor.begin(random, 'any', 1);
  await ask({ operation: 'delete_file', path: `/files/${id}`, headers, isPassed });
  vendor.end();
};
