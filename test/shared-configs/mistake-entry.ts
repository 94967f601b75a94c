import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { runGw } from '../support/run-gw.ts';
import { sharedConfigsExist, sharedFile } from './shared-folder.ts';

export type MistakeClass = 'must be error' | 'should be warning' | 'must be accepted';

/** A config with one mistake, and what a check of it is expected to find. */
export interface MistakeEntry {
  readonly name: string;
  readonly file: string;
  readonly text?: string;
  readonly base64?: string;
  /** Any of these lines is right. */
  readonly line: readonly number[];
  readonly class: MistakeClass;
  /** The subject of the mistake. */
  readonly group: string;
  /** In short, what the finding says. */
  readonly wanted: string;
  /** No finding is right, too. */
  readonly either?: boolean;
}

export const mistakeEntries = (): readonly MistakeEntry[] =>
  sharedConfigsExist
    ? readFileSync(sharedFile('mistakes.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): MistakeEntry => JSON.parse(line))
    : [];

/** The gateway file that the configs go with. */
export const mistakesGateway = (): string => readFileSync(sharedFile('mistakes-gateway.json'), 'utf8');

/** What `gw check` finds in an entry's file, written into a folder that has the gateway file as `gateway.json`. */
export const readFindings = async (entry: MistakeEntry, cwd: string): Promise<readonly Diagnostic[]> => {
  await writeFile(path.join(cwd, entry.file), entry.text ?? Buffer.from(entry.base64 ?? '', 'base64'));
  const { out, err } = await runGw(cwd, ['check', entry.file, '--config', 'gateway.json', '--format', 'json']);
  if (err !== '') throw new Error(`${entry.name}: ${err}`);
  const { files }: { readonly files: readonly { readonly diagnostics: readonly Diagnostic[] }[] } = JSON.parse(out);
  return files.flatMap(({ diagnostics }) => diagnostics);
};
