import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { sharedConfigsExist, sharedFile } from './shared-folder.ts';

export type MistakeClass = 'must be error' | 'should be warning' | 'must be accepted';

/** A config with one mistake, and what a check is expected to find in it. */
export interface MistakeEntry {
  readonly name: string;
  readonly file: string;
  readonly text?: string;
  readonly base64?: string;
  /** The finding may be on any of these lines. */
  readonly line: readonly number[];
  readonly class: MistakeClass;
  /** The subject of the mistake. */
  readonly group: string;
  /** A summary of what the finding should report. */
  readonly wanted: string;
  /** Whether no finding is acceptable as well. */
  readonly either?: boolean;
}

export const mistakeEntries = (): readonly MistakeEntry[] =>
  sharedConfigsExist
    ? readFileSync(sharedFile('mistakes.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): MistakeEntry => JSON.parse(line))
    : [];

/** Reads the gateway file that belongs to the configs. */
export const mistakesGateway = (): string => readFileSync(sharedFile('mistakes-gateway.json'), 'utf8');

/**
 * Runs `gw check` on an entry's file and returns its findings. The file is written into a folder that has the gateway file as
 * `gateway.json`.
 */
export const readFindings = async (entry: MistakeEntry, cwd: string): Promise<readonly Diagnostic[]> => {
  await writeFile(path.join(cwd, entry.file), entry.text ?? Buffer.from(entry.base64 ?? '', 'base64'));
  const { out, err } = await runGw(cwd, ['check', entry.file, '--config', 'gateway.json', '--format', 'json']);
  if (err !== '') throw new Error(`${entry.name}: ${err}`);
  const { files }: { readonly files: readonly { readonly diagnostics: readonly Diagnostic[] }[] } = JSON.parse(out);
  return files.flatMap(({ diagnostics }) => diagnostics);
};
