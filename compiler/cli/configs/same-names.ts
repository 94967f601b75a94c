import path from 'node:path';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { rootPointer, toPointer } from '../../../schema/json/pointer.ts';
import { planFileName } from '../../../schema/plan/plan-file-name.ts';
import { nowhere } from '../../diagnostics/reporter.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { CompiledFile } from '../report/compiled-file.ts';

/** Whether a config states its name. If not, it has the name of its file. */
const statesName = ({ file, text }: CompiledFile): boolean => {
  const { document } = parseConfig(text, { file, isFile: true });
  return isJsonObject(document?.value) && Object.hasOwn(document.value, 'name');
};

/** The name before it is one of a file. */
const writtenName = ({ plan, name = plan?.name }: CompiledFile): string | undefined => name;

const sameName = (compiled: CompiledFile, name: string, other: CompiledFile): Diagnostic => {
  const { file, text } = compiled;
  const { document } = parseConfig(text, { file, isFile: true });
  const own = toPointer(['name']);
  const span = document?.readSpan(own, 'value') ?? nowhere;
  const both = [compiled, other];
  const stated = both.filter(statesName);
  const remedy =
    stated.length === 0
      ? 'Rename one of the two files, or remove it: without a "name" a config has the name of its file.'
      : `Write a different "name" in ${stated.map((each) => each.file).join(' or ')}.`;
  const isChanged = both.some((each) => writtenName(each) !== name);
  return {
    code: 'same-name',
    severity: 'error',
    message: `The config ${other.file} also has the name "${name}", but a gateway serves only one config of a name.`,
    hint: isChanged ? `${remedy} Of a name, only the letters a to z, digits, ".", "_" and "-" count.` : remedy,
    file,
    pointer: document === undefined ? rootPointer : own,
    span,
  };
};

/**
 * Adds a finding to each config whose name another config of its folder has. Different folders may belong to different gateways.
 */
export const withSameNames = (files: readonly CompiledFile[]): readonly CompiledFile[] => {
  const names = new Map<string, CompiledFile>();
  return files.map((compiled) => {
    const { file, text, diagnostics } = compiled;
    const checked = writtenName(compiled);
    if (checked === undefined) return compiled;
    const name = planFileName(checked);
    const key = `${path.posix.dirname(file)}\n${name}`;
    const other = names.get(key);
    if (other !== undefined) return { file, text, diagnostics: [...diagnostics, sameName(compiled, name, other)] };
    names.set(key, compiled);
    return compiled;
  });
};
