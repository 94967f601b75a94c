import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { installCommand } from '../../plugins/telemetry/otlp/export/packages.ts';

it('the recipe installs the OpenTelemetry packages in the versions that the gateway requires', () => {
  const recipe = readFileSync(path.join(import.meta.dirname, '../../docs/recipes/metrics-and-traces.md'), 'utf8');
  expect(recipe.split('\n')).toContain(installCommand);
});
