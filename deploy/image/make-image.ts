import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/locked-packages.ts';
import { type WrittenImage, writeImage } from './archive/write-image.ts';
import { imageConfig } from './image-config.ts';
import { type Architecture, debianLayer, downloadPackages } from './layers/debian-layer.ts';
import { nodeLayer } from './layers/node-layer.ts';
import { packageEntries, treeEntries } from './layers/package-layer.ts';

export interface MakeImageOptions {
  readonly architectures: readonly Architecture[];
  /** The path of the archive that `npm pack` wrote. */
  readonly tarball: string;
  /** The folder into which archives may be written. */
  readonly folder: string;
  /** A folder with the Debian packages. If absent, they are downloaded. */
  readonly packages?: string | undefined;
  /** The commit that the package was built from. */
  readonly revision?: string | undefined;
  readonly seconds?: number;
}

export interface BuiltImage extends WrittenImage {
  /** The name of the image's file. */
  readonly name: string;
}

/** Builds the image of the packed package, with layers for Debian, Node, other packages, and Gatewright. */
export const buildImage = async (options: MakeImageOptions): Promise<BuiltImage> => {
  const { architectures, tarball, folder, packages, revision, seconds = 0 } = options;
  const { version, description, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const annotations = {
    'org.opencontainers.image.title': 'gatewright',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    ...(revision === undefined ? {} : { 'org.opencontainers.image.revision': revision }),
  };
  const [tree, own] = [treeEntries(), packageEntries(tarball)];
  const images = architectures.map((architecture) => {
    const place = path.join(folder, architecture);
    mkdirSync(place, { recursive: true });
    if (packages === undefined) downloadPackages(architecture, place);
    const debian = debianLayer(packages ?? place, architecture);
    const node = nodeLayer(architecture, place);
    return {
      architecture,
      config: imageConfig(annotations),
      layers: [
        { name: `Debian: ${debian.versions.join(' ')}`, entries: debian.entries },
        { name: `Node ${node.version}`, entries: node.entries },
        { name: 'packages of npm', entries: tree },
        { name: `gatewright ${version}`, entries: own },
      ],
    };
  });
  const written = await writeImage({ reference: `gatewright:${version}`, images, annotations, seconds });
  const suffix = architectures.length === 1 ? `-${architectures[0]}` : '';
  return { ...written, name: `gatewright-${version}${suffix}.tar` };
};
