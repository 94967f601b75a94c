import { describe, expect, it } from 'vitest';
import { cycloneDx, packageUrl } from '../../deploy/sbom/cyclonedx.ts';
import { licenceTexts } from '../../deploy/sbom/licence-texts.ts';
import { productionPackages } from '../../deploy/sbom/production-packages.ts';
import { directDependencies, lockedTree, readLockfile, toLockedPackage } from '../../deploy/support/locked-packages.ts';
import { bundledPackages, consolePackages } from '../../tools/build/build-package.ts';

const lockfile = readLockfile();
const toolchain = Object.keys(lockfile['test/toolchain']?.optionalDependencies ?? {});

/** The packages that npm marks as installed with this one, without the Node of the project's own scripts. */
const installed = Object.entries(lockfile).flatMap(([folder, locked]) => {
  const { dev, link } = locked as { readonly dev?: boolean; readonly link?: boolean };
  if (!folder.startsWith('node_modules/') || dev === true || link === true) return [];
  const each = toLockedPackage(folder, locked);
  return toolchain.includes(each.name) ? [] : [each];
});

const own = { name: 'gatewright', version: '1.2.3', description: 'A gateway.', license: 'MIT' };
const packages = productionPackages();
const direct = Object.values(directDependencies()).flat();

interface Component {
  readonly purl: string;
  readonly scope: string;
  readonly hashes: readonly { readonly content: string }[];
  readonly licenses: readonly object[];
}

const bom = cycloneDx(own, packages, [...direct, ...bundledPackages, ...consolePackages]) as {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
const purls = bom.components.map(({ purl }) => purl);

describe('the bill of materials', () => {
  it('contains every package of the lockfile that is installed with this one', () => {
    expect(installed.length).toBeGreaterThan(30);
    expect(installed.map(packageUrl).filter((purl) => !purls.includes(purl))).toEqual([]);
  });

  it('contains bundled packages and peer dependencies, with everything that they need', () => {
    const names = [...bundledPackages, ...consolePackages, ...directDependencies().peers];
    expect(
      lockedTree(names)
        .map(packageUrl)
        .filter((purl) => !purls.includes(purl)),
    ).toEqual([]);
  });

  it('lists each package once, with a digest, a licence, and whether it is required', () => {
    for (const { purl, hashes, licenses } of bom.components) {
      expect(hashes[0]?.content, purl).toMatch(/^[0-9a-f]{128}$/);
      expect(licenses, purl).toHaveLength(1);
    }
    expect(new Set(purls).size).toBe(purls.length);
    const scope = (start: string) => bom.components.find(({ purl }) => purl.startsWith(start))?.scope;
    expect([scope('pkg:npm/undici@'), scope('pkg:npm/kysely@'), scope('pkg:npm/pg@')]).toEqual([
      'required',
      'required',
      'optional',
    ]);
  });

  it('lists the dependencies of each package, which reach all of them', () => {
    const reached = new Set<string>();
    const follow = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of bom.dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) follow(next);
    };
    follow(packageUrl(own));
    expect(purls.filter((purl) => !reached.has(purl))).toEqual([]);
    expect([...reached].filter((ref) => ref !== packageUrl(own) && !purls.includes(ref))).toEqual([]);
  });

  it('is the same each time', () => {
    expect(cycloneDx(own, productionPackages(), [...direct, ...bundledPackages, ...consolePackages])).toEqual(bom);
  });
});

describe('the packages that the gateway needs at runtime', () => {
  it('run no install scripts', () => {
    const scripted = [...packages, ...installed].filter(({ hasInstallScript }) => hasInstallScript === true);
    expect(scripted.map(packageUrl)).toEqual([]);
  });

  it('have permissive licences, and their texts are included', () => {
    const allowed = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD'];
    expect(packages.filter(({ license = '' }) => !allowed.includes(license)).map(packageUrl)).toEqual([]);
    const text = licenceTexts(packages, 'All of them.');
    for (const { name, version, license } of packages) expect(text).toContain(`${name} ${version} (${license})`);
    expect(text).toContain('Permission is hereby granted');
  });
});
