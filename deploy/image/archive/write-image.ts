import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Architecture } from '../layers/debian-layer.ts';
import { type Entry, type FileEntry, textFile } from './entry.ts';
import { writeTar } from './write-tar.ts';

/** The contents of one layer, and the name of the build's part that it is. */
export interface Layer {
  readonly name: string;
  readonly entries: readonly Entry[];
}

export interface PlatformImage {
  readonly architecture: Architecture;
  readonly config: object;
  /** In order, the lowest layer first. */
  readonly layers: readonly Layer[];
}

export interface ImageOptions {
  /** For example `gatewright:0.1.0`. */
  readonly reference: string;
  readonly images: readonly PlatformImage[];
  readonly annotations: Readonly<Record<string, string>>;
  /** The time of all files, in seconds. */
  readonly seconds: number;
}

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface WrittenImage {
  /** An OCI image layout. */
  readonly tar: Buffer;
  /** The digest of the index, or of the manifest if there is only one. */
  readonly digest: string;
  /** Compressed bytes, by architecture. */
  readonly sizes: Readonly<Record<string, number>>;
}

const oci = 'application/vnd.oci.image';

const compress = promisify(gzip);

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const blobPath = (digest: string): string => `blobs/${digest.replace(':', '/')}`;

/** Writes images of several architectures as one OCI image layout. The same contents produce the same bytes. */
export const writeImage = async ({ reference, images, annotations, seconds }: ImageOptions): Promise<WrittenImage> => {
  const files = new Map<string, FileEntry>();
  const add = (bytes: Uint8Array, mediaType: string): Blob => {
    const digest = sha256(bytes);
    files.set(digest, { kind: 'file', path: blobPath(digest), data: bytes });
    return { mediaType, digest, size: bytes.length };
  };
  const addJson = (value: object, mediaType: string): Blob => add(Buffer.from(JSON.stringify(value)), mediaType);
  const created = new Date(seconds * 1000).toISOString();

  const toManifest = async ({ architecture, config, layers }: PlatformImage) => {
    const written = await Promise.all(
      layers.map(async ({ name, entries }) => {
        const tar = writeTar(entries, seconds);
        return { name, diff: sha256(tar), blob: add(await compress(tar, { level: 6 }), `${oci}.layer.v1.tar+gzip`) };
      }),
    );
    const described = addJson(
      {
        created,
        architecture,
        os: 'linux',
        config,
        rootfs: { type: 'layers', diff_ids: written.map(({ diff }) => diff) },
        history: written.map(({ name }) => ({ created, created_by: name })),
      },
      `${oci}.config.v1+json`,
    );
    const blobs = written.map(({ blob }) => blob);
    const manifest = addJson(
      { schemaVersion: 2, mediaType: `${oci}.manifest.v1+json`, config: described, layers: blobs, annotations },
      `${oci}.manifest.v1+json`,
    );
    return { architecture, described, blobs, manifest };
  };

  const platforms = await Promise.all(images.map(toManifest));
  const manifests = platforms.map(({ architecture, manifest }) => ({
    ...manifest,
    platform: { architecture, os: 'linux' },
  }));
  const [only] = manifests;
  const indexType = `${oci}.index.v1+json`;
  const top =
    only !== undefined && manifests.length === 1
      ? only
      : addJson({ schemaVersion: 2, mediaType: indexType, manifests, annotations }, indexType);
  const names = {
    'io.containerd.image.name': `docker.io/library/${reference}`,
    'org.opencontainers.image.ref.name': reference,
  };
  const entries: Entry[] = [
    ...files.values(),
    textFile('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    textFile(
      'index.json',
      JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [{ ...top, annotations: names }] }),
    ),
  ];
  // A Docker with its own image store reads this file, which can name only one architecture.
  const docker = platforms.slice(0, platforms.length === 1 ? 1 : 0).map(({ described, blobs }) => ({
    Config: blobPath(described.digest),
    RepoTags: [reference],
    Layers: blobs.map(({ digest }) => blobPath(digest)),
  }));
  if (docker.length > 0) entries.push(textFile('manifest.json', JSON.stringify(docker)));
  const sizes = platforms.map(({ architecture, described, blobs }) => [
    architecture,
    blobs.reduce((sum, { size }) => sum + size, described.size),
  ]);
  return { tar: writeTar(entries, seconds), digest: top.digest, sizes: Object.fromEntries(sizes) };
};
