import type { Provider } from '../../sdk/provider/provider.ts';

/** Statements about a dialect that the provider does not speak have no effect. */
const unspokenErrors = ({ speaks, ...row }: Provider): readonly string[] =>
  Object.entries({
    adaptsOwn: row.adaptsOwn ?? [],
    adaptsMarked: Object.keys(row.adaptsMarked ?? {}),
    basePaths: Object.keys(row.basePaths ?? {}),
    lacks: Object.keys(row.lacks ?? {}),
    leavesOut: Object.keys(row.leavesOut ?? {}),
  }).flatMap(([member, dialects]) =>
    dialects.filter((id) => !Object.hasOwn(speaks, id)).map((id) => `${member} has "${id}", which is not in speaks`),
  );

const basePathErrors = ({ basePaths = {} }: Provider): readonly string[] =>
  Object.entries(basePaths)
    .filter(([, path]) => !/^\/.*[^/]$/.test(path))
    .map(([id, path]) => `basePaths.${id} must begin with a slash and not end with one: ${path}`);

/** Returns the errors in what a provider states about single dialects. */
export const dialectErrors = (provider: Provider): readonly string[] => [
  ...unspokenErrors(provider),
  ...basePathErrors(provider),
];
