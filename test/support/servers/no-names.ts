/**
 * A module for `--import` with which names have no addresses, so that nothing leaves the machine. It prints each look-up, and
 * whether it goes to the system's resolver or to the name servers.
 */
export const noNames: string = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns';
  import { syncBuiltinESMExports } from 'node:module';
  const lookup = dns.lookup;
  dns.lookup = (name, ...rest) => {
    if (name === '127.0.0.1' || name === 'localhost') return lookup(name, ...rest);
    console.log('looked up ' + name + ' by the system');
    rest.at(-1)(Object.assign(new Error('no names'), { code: 'ENOTFOUND' }));
  };
  for (const method of ['resolve4', 'resolve6'])
    dns.promises.Resolver.prototype[method] = async (name) => {
      console.log('looked up ' + name + ' by the servers');
      throw Object.assign(new Error('no names'), { code: 'ENOTFOUND' });
    };
  syncBuiltinESMExports();
`)}`;

export interface NameLookup {
  readonly name: string;
  readonly by: 'system' | 'servers';
}

/** Finds the names that were looked up in the output of a gateway with `noNames`. */
export const lookups = (printed: string): readonly NameLookup[] =>
  [...printed.matchAll(/looked up (\S+) by the (system|servers)/g)].map(([, name = '', by]) => ({
    name,
    by: by === 'system' ? 'system' : 'servers',
  }));
