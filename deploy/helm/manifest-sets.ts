import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const chartFolder: string = path.join(import.meta.dirname, 'gatewright');
export const manifestsFolder: string = path.join(import.meta.dirname, '../kubernetes');

/** The manifests that are rendered, by the sets of values in `values/`. */
export const manifestSets = {
  gateway: 'gateway.yaml',
  monitored: 'gateway-monitored.yaml',
  stored: 'gateway-stored.yaml',
  sidecar: 'sidecar.yaml',
} as const;

export const valuesFile = (name: string): string => path.join(import.meta.dirname, 'values', `${name}.yaml`);

/**
 * What manifests begin with: they are stale where the hash of the chart and the values is another. The schema of values is left
 * out, since nothing is rendered of it.
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
