import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type LockedPackage, root } from '../support/locked-packages.ts';

const isLicence = (file: string): boolean => /^(?:licen[cs]e|copying|notice)(?:[-.]|$)/i.test(file);

const texts = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(isLicence)
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());

const heading = ({ name, version, license = 'no licence is named' }: LockedPackage): string =>
  `${name} ${version} (${license})`;

/** Returns the licence texts of packages below a title. A text that several packages share appears once. */
export const licenceTexts = (packages: readonly LockedPackage[], title: string): string => {
  const byText = new Map<string, Set<string>>();
  for (const each of packages) {
    const found = texts(path.join(root, each.folder));
    for (const text of found.length > 0
      ? found
      : [`The package does not include the text of its licence (${each.license}).`])
      byText.set(text, (byText.get(text) ?? new Set()).add(heading(each)));
  }
  const parts = [...byText].map(([text, names]) => `${[...names].join('\n')}\n\n${text}\n`);
  return `${title}\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
};
