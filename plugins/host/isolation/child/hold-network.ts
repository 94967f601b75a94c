import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { noAccess } from './no-access.ts';
import { replacePermanently as replace } from './replace-permanently.ts';

const noNetwork = (): never => {
  throw noAccess(
    'An isolated plugin has no access to the network. Call other machines with services.http, and declare their hosts: "permissions": { "hosts": ["api.acme.example"] }.',
  );
};

const noOthers = (): never => {
  throw noAccess('An isolated plugin cannot access other processes.');
};

const toFunctions = (owner: object): readonly string[] =>
  Object.getOwnPropertyNames(owner).filter(
    (name) => name !== 'constructor' && name !== 'Resolver' && name !== 'promises',
  );

/** Node can drop permissions since version 26. */
type Permissions = NodeJS.ProcessPermission & { drop?(permission: 'net'): void };

/**
 * Closes the ways out of the process: connections, servers, datagrams, name look-ups, and signals to other processes. Files,
 * addons, workers and child processes are blocked by Node itself (https://nodejs.org/api/permissions.html), which restricts the
 * network only since Node 25. All of Node's own clients go through these functions, including `fetch` and undici. Must be called
 * after the channel to the gateway has been opened.
 */
export const holdNetwork = (): void => {
  replace(net.Socket.prototype, 'connect', noNetwork);
  replace(net.Server.prototype, 'listen', noNetwork);
  replace(net, '_createServerHandle', noNetwork);
  replace(dgram, '_createSocketHandle', noNetwork);
  for (const name of ['bind', 'connect', 'send', 'sendto']) replace(dgram.Socket.prototype, name, noNetwork);
  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const name of toFunctions(owner)) replace(owner, name, noNetwork);
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd']) replace(process, name, noOthers);
  replace(os, 'setPriority', noOthers);
  syncBuiltinESMExports();
  const permissions: Permissions | undefined = process.permission;
  permissions?.drop?.('net');
};
