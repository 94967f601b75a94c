import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { type NodeRelease, oldestNode } from './node-releases.ts';
import { install, newFolder, packGatewright } from './packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The package as it would be published. */
    readonly tarball: string;
    /** A project that has it installed with all its parts. */
    readonly project: string;
    /** The oldest Node that the package is tried with. */
    readonly oldestNode: NodeRelease;
  }
}

/** Packs and installs once for all files; gives what takes it away again. */
export const setup = async ({ provide }: TestProject): Promise<() => void> => {
  const packed = newFolder();
  const tarball = await packGatewright(packed);
  const project = await install([tarball]);
  provide('tarball', tarball);
  provide('project', project);
  provide('oldestNode', await oldestNode(packed));
  return () => {
    for (const folder of [packed, project]) rmSync(folder, { recursive: true, force: true });
  };
};
