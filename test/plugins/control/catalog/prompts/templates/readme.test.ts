import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { render } from './render.ts';

const readme = readFileSync(
  new URL('../../../../../../plugins/control/catalog/prompts/templates/README.md', import.meta.url),
  'utf8',
);

it("the README's example is rendered as it shows", () => {
  const [, text = '', shown = ''] = [...readme.matchAll(/^```\n(.*?)^```$/gms)].map(([, fence]) => fence);
  const variables = /With `(\{.*?\})`, and/s.exec(readme)?.[1] ?? '';
  const partial = /and\s`([^`]*)` as version 2/.exec(readme)?.[1]?.replaceAll('\\n', '\n') ?? '';
  expect(partial).toContain('{{sender}}');
  expect(render(text, JSON.parse(variables), { 'signature@2': partial })).toBe(shown);
});
