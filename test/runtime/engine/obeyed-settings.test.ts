import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { targetSettingRows } from '../../../schema/plan/target-settings.ts';

const folder = fileURLToPath(new URL('../../../runtime/engine/', import.meta.url));

it('reads every plain setting of a target', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(folder + file, 'utf8'));
  const unread = targetSettingRows.filter(({ name }) => !sources.some((text) => text.includes(`target.${name}`)));
  expect(unread.map(({ name }) => name)).toEqual([]);
});
