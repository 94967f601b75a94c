import type { LockedPackage } from '../support/locked-packages.ts';
import type { ProductionPackage } from './production-packages.ts';

/** The members of the package's own `package.json` that the bill of materials uses. */
export interface OwnManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** Returns a package URL such as `pkg:npm/%40scope/name@1.2.3`. */
export const packageUrl = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const hashes = ({ integrity = '' }: LockedPackage): readonly object[] =>
  integrity.split(' ').flatMap((each) => {
    const [algorithm, digest] = each.split(/-(.*)/s);
    return algorithm === 'sha512' && digest !== undefined ? [{ alg: 'SHA-512', content: toHex(digest) }] : [];
  });

const licenses = (license: string | undefined): readonly object[] => {
  if (license === undefined) return [];
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
};

const component = (each: ProductionPackage): object => {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.*)$/.exec(each.name) ?? [];
  return {
    type: 'library',
    'bom-ref': packageUrl(each),
    ...(group === undefined ? {} : { group }),
    name,
    version: each.version,
    scope: each.isOptional ? 'optional' : 'required',
    hashes: hashes(each),
    licenses: licenses(each.license),
    purl: packageUrl(each),
  };
};

const uniquely = (packages: readonly ProductionPackage[]): readonly ProductionPackage[] => {
  const found = new Map<string, ProductionPackage>();
  for (const each of packages) {
    const known = found.get(packageUrl(each));
    if (known === undefined || known.isOptional) found.set(packageUrl(each), each);
  }
  return [...found.values()].sort((left, right) => (packageUrl(left) < packageUrl(right) ? -1 : 1));
};

/** Returns the dependencies of each package, resolved in the folders in which Node looks for them. */
const graph = (own: string, packages: readonly ProductionPackage[], direct: readonly string[]): readonly object[] => {
  const byFolder = new Map(packages.map((each) => [each.folder, each]));
  const find = (name: string, from: string): ProductionPackage | undefined => {
    const found = byFolder.get(`${from === '' ? '' : `${from}/`}node_modules/${name}`);
    if (found !== undefined || from === '') return found;
    const above = from.lastIndexOf('/node_modules/');
    return find(name, above < 0 ? '' : from.slice(0, above));
  };
  const refs = (names: readonly string[], from: string): readonly string[] =>
    names.flatMap((name) => {
      const found = find(name, from);
      return found === undefined ? [] : [packageUrl(found)];
    });
  const edges = new Map<string, Set<string>>([[own, new Set(refs(direct, ''))]]);
  for (const each of packages) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = each;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const known = edges.get(packageUrl(each)) ?? new Set();
    edges.set(packageUrl(each), new Set([...known, ...refs(names, each.folder)]));
  }
  return [...edges].map(([ref, on]) => ({ ref, dependsOn: [...on].sort() }));
};

/** Returns the bill of materials in CycloneDX 1.6. It contains no time, so the same lockfile produces the same text. */
export const cycloneDx = (
  own: OwnManifest,
  packages: readonly ProductionPackage[],
  direct: readonly string[],
): object => {
  const ref = packageUrl(own);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: own.name,
        version: own.version,
        description: own.description,
        licenses: licenses(own.license),
        purl: ref,
      },
    },
    components: uniquely(packages).map(component),
    dependencies: graph(ref, packages, direct),
  };
};
