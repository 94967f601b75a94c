import { renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { type GatewayProcess, startGateway, writeFolder } from './gateway-process.ts';

/** A gateway's folder that a test changes while the gateway serves from it. Paths are relative to it. */
export interface ChangingFolder {
  readonly path: string;
  /** The gateway, after it has been started. */
  readonly gateway: GatewayProcess;
  at(name: string): string;
  write(files: Readonly<Record<string, unknown>>): void;
  remove(name: string): void;
  rename(from: string, to: string): void;
  link(target: string, name: string): void;
  /** Replaces a link in one step, as deployments do. */
  retarget(name: string, target: string): void;
  /** Starts the gateway with these environment variables in addition to those of all tests. */
  serve(env?: Readonly<Record<string, string>>): Promise<void>;
  ask(config?: string): Promise<Response>;
  /** Returns the plan that answers a request. */
  label(config?: string): Promise<string | null>;
  /** Returns the body of `/readyz`, with its status as `code`. */
  ready(): Promise<Record<string, unknown>>;
  /** How often a text has been printed. */
  count(text: string): number;
  /** Makes a change, and waits until a different plan is active. */
  follows(change: () => void, config?: string): Promise<void>;
}

/** Creates a folder with these files. It and its gateway end with the test, so that tests can run at the same time. */
export const changingFolder = (
  { expect, onTestFinished }: TestContext,
  files: Readonly<Record<string, unknown>>,
): ChangingFolder => {
  const folder = writeFolder(files);
  let started: GatewayProcess | undefined;
  onTestFinished(async () => {
    await started?.stop();
    rmSync(folder, { recursive: true });
  });

  const gateway = (): GatewayProcess => started ?? expect.unreachable('The gateway was not started.');
  const at = (name: string): string => path.join(folder, name);
  const rename = (from: string, to: string): void => renameSync(at(from), at(to));
  const link = (target: string, name: string): void => symlinkSync(target, at(name));
  const ask = (config?: string): Promise<Response> =>
    fetch(`${gateway().baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(config === undefined ? {} : { 'x-gw-config': config }) },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
    });
  const label = async (config?: string): Promise<string | null> => (await ask(config)).headers.get('x-gw-plan');

  return {
    path: folder,
    get gateway() {
      return gateway();
    },
    at,
    write: (more) => void writeFolder(more, folder),
    remove: (name) => rmSync(at(name), { recursive: true }),
    rename,
    link,
    retarget: (name, target) => {
      link(target, `${name}.new`);
      rename(`${name}.new`, name);
    },
    serve: async (env) => {
      started = await startGateway({ folder, env: { KEY: 'a-key', ...env } });
    },
    ask,
    label,
    ready: async () => {
      const answer = await fetch(`${gateway().origin}/readyz`);
      const body: Record<string, unknown> = JSON.parse(await answer.text());
      return { code: answer.status, ...body };
    },
    count: (text) => gateway().printed().split(text).length - 1,
    follows: async (change, config) => {
      const before = await label(config);
      change();
      await expect.poll(() => label(config)).not.toBe(before);
      expect((await ask(config)).status).toBe(200);
    },
  };
};
