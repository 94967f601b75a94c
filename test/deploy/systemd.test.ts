import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';

const file = path.join(root, 'deploy/systemd/gatewright.service');

/** Returns the settings of a unit by section, in their order. */
const readUnit = (text: string): ReadonlyMap<string, readonly (readonly [name: string, value: string])[]> => {
  const sections = new Map<string, (readonly [string, string])[]>();
  let settings: (readonly [string, string])[] | undefined;
  for (const line of text.split('\n')) {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (section !== undefined) {
      settings = [];
      sections.set(section, settings);
    } else if (name !== undefined) {
      if (settings === undefined) throw new Error(`This setting is in no section: ${line}`);
      settings.push([name, value]);
    } else if (line !== '' && !line.startsWith('#')) throw new Error(`This is no setting: ${line}`);
  }
  return sections;
};

const unit = readUnit(readFileSync(file, 'utf8'));
const service = unit.get('Service') ?? [];
const values = (name: string): readonly string[] => service.flatMap(([each, value]) => (each === name ? [value] : []));

describe('the systemd unit', () => {
  it('has the sections of a service that starts with the machine', () => {
    expect([...unit.keys()]).toEqual(['Unit', 'Service', 'Install']);
    expect(unit.get('Install')).toEqual([['WantedBy', 'multi-user.target']]);
  });

  it('gives the gateway only the privileges that it needs', () => {
    const needed = {
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      PrivateDevices: 'yes',
      RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX',
      RestrictNamespaces: 'yes',
      SystemCallArchitectures: 'native',
      StateDirectory: 'gatewright',
      UMask: '0077',
      // Node cannot run if this is set to yes.
      MemoryDenyWriteExecute: 'no',
    };
    for (const [name, value] of Object.entries(needed)) expect(values(name), name).toEqual([value]);
    expect(values('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources']);
  });

  it('leaves time for the drain, and reloads with the signal that the gateway reloads on', () => {
    const [start = ''] = values('ExecStart');
    const [drain] = /--drain-ms (\d+)/.exec(start)?.slice(1) ?? [];
    expect(Number(values('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(Number(drain));
    expect(values('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
    expect(Number(values('LimitNOFILE')[0])).toBeGreaterThanOrEqual(65536);
    expect(values('Restart')).toEqual(['on-failure']);
  });

  it('reads secrets only from files', () => {
    expect(values('LoadCredential').length).toBeGreaterThan(0);
    for (const each of values('LoadCredential')) expect(each).toMatch(/^[\w-]+:\/etc\/gatewright\/secrets\/[\w-]+$/);
    expect(values('Environment').join(' ')).not.toMatch(/KEY|SECRET|TOKEN/);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.skipIf(!hasSystemd)('passes systemd-analyze verify without a message', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect({ status, printed: `${stdout}${stderr}` }).toEqual({ status: 0, printed: '' });
  });
});
