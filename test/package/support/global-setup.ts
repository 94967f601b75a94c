import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { installNode, type NodeRelease, newest, oldest } from './node-releases.ts';
import { install, newFolder, packGatewright } from './packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The package as it would be published. */
    readonly tarball: string;
    /** A project in which it is installed with all optional parts. */
    readonly project: string;
    /** The oldest version of Node with which the package is tested. */
    readonly oldestNode: NodeRelease;
    /** The newest one. */
    readonly newestNode: NodeRelease;
  }
}

/** Packs and installs the package once for all test files. Returns a function that removes it. */
export const setup = async ({ provide }: TestProject): Promise<() => void> => {
  const packed = newFolder();
  const tarball = await packGatewright(packed);
  const project = await install([tarball]);
  provide('tarball', tarball);
  provide('project', project);
  provide('oldestNode', await installNode(oldest, packed));
  provide('newestNode', await installNode(newest, packed));
  return () => {
    for (const folder of [packed, project]) rmSync(folder, { recursive: true, force: true });
  };
};
