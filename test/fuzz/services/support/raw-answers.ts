import type { OddAnswer } from './ask-check.ts';

const elsewhere = ['location', 'https://elsewhere.example/'];

/** Answers that no service itself sends: those of proxies in front of it, and truncated ones. */
export const rawAnswers: readonly OddAnswer[] = [
  { text: '' },
  { status: 204, text: '' },
  { status: 205, text: '{}' },
  { text: '<!doctype html><title>Sign in</title>', headers: ['content-type', 'text/html'] },
  { text: '{"results":[{"flagged":fal' },
  { text: '\ufeff{}' },
  { text: 'null' },
  { text: '[]' },
  { text: '"allow"' },
  { text: 'true' },
  { text: '{}{}' },
  { text: 'data: {}\n\n', headers: ['content-type', 'text/event-stream'] },
  { text: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
  ...[301, 302, 303, 307, 308].map((status) => ({ status, headers: elsewhere, text: '' })),
  { status: 304, text: '' },
  { status: 401, headers: ['www-authenticate', 'Basic'], text: '{}' },
  { status: 429, headers: ['retry-after', '1000000000'], text: '{}' },
  { status: 429, headers: ['retry-after', 'soon'], text: '{"error":{"code":{"toString":[1]}}}' },
  { status: 500, text: '<html>' },
  { status: 503, headers: ['retry-after', '-1'], text: '' },
];
