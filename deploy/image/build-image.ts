/**
 * `npm run deploy:image`: builds the container image without Docker and without a registry, as an OCI image layout in a tar.
 * It needs apt and dpkg-deb, and the output of `npm ci` and `npm run build`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packPackage } from '../support/pack-package.ts';
import { buildImage } from './make-image.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'reports/image' },
    arch: { type: 'string', multiple: true, default: ['amd64', 'arm64'] },
    tarball: { type: 'string' },
    packages: { type: 'string' },
    revision: { type: 'string' },
  },
});

const architectures = values.arch.map((name) => {
  if (name === 'amd64' || name === 'arm64') return name;
  throw new Error(`--arch is amd64 or arm64, and not ${name}.`);
});

const folder = mkdtempSync(path.join(tmpdir(), 'gw-image-'));
try {
  const { name, tar, digest, sizes } = await buildImage({
    architectures,
    folder,
    tarball: values.tarball ?? packPackage(folder),
    packages: values.packages,
    revision: values.revision,
    seconds: Number(process.env.SOURCE_DATE_EPOCH ?? 0),
  });
  mkdirSync(values.out, { recursive: true });
  const file = path.join(values.out, name);
  writeFileSync(file, tar);
  const megabytes = Object.entries(sizes).map(([arch, bytes]) => `${arch} ${(bytes / 1e6).toFixed(1)} MB`);
  process.stdout.write(`${file}: ${megabytes.join(', ')} compressed\n${digest}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
