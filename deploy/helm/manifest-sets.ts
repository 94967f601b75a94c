import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const chartFolder: string = path.join(import.meta.dirname, 'gatewright');
export const manifestsFolder: string = path.join(import.meta.dirname, '../kubernetes');

/** The files of the rendered manifests, by the name of their set of values in `values/`. */
export const manifestSets = {
  gateway: 'gateway.yaml',
  monitored: 'gateway-monitored.yaml',
  stored: 'gateway-stored.yaml',
  sidecar: 'sidecar.yaml',
} as const;

export const valuesFile = (name: string): string => path.join(import.meta.dirname, 'values', `${name}.yaml`);

/**
 * Returns the first lines of manifests. The manifests are out of date if their hash of the chart and the values differs. The hash
 * does not include the schema of values, because nothing is rendered from it.
 */
export const manifestHeader = (name: string): string => {
  const hash = createHash('sha256');
  const files = globSync('**/*.*', { cwd: chartFolder, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'values.schema.json')
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of [...files.sort(), valuesFile(name)])
    hash.update(`${path.relative(import.meta.dirname, file)}\n`).update(readFileSync(file));
  return [
    `# Rendered from deploy/helm/gatewright with deploy/helm/values/${name}.yaml (npm run deploy:helm); do not edit.`,
    `# sha256:${hash.digest('hex')}`,
    '',
  ].join('\n');
};
