import type { SavedProvider } from '../../schema/config/saved.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

const pairProblem = ({ tls }: SavedProvider, pointer: JsonPointer): readonly SavedProblem[] => {
  const { cert, key, passphrase } = tls ?? {};
  if (passphrase !== undefined && key === undefined)
    return [
      {
        ...{ code: 'unpaired-certificate', pointer: childPointer(pointer, 'passphrase'), part: 'key' },
        message: '"passphrase" is set without "key", to which it belongs.',
        hint: 'Add "cert" and "key", or remove "passphrase".',
      },
    ];
  if ((cert === undefined) === (key === undefined)) return [];
  const [given, absent] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  return [
    {
      ...{ code: 'unpaired-certificate', pointer: childPointer(pointer, given), part: 'key' },
      message: `"${given}" is set without "${absent}", so the gateway could not identify itself.`,
      hint: `Add "${absent}", or remove "${given}".`,
    },
  ];
};

const plainProblem = ({ settings = {} }: SavedProvider, pointer: JsonPointer): readonly SavedProblem[] => {
  const { custom_host: host } = settings;
  if (typeof host !== 'string' || !/^http:/i.test(host)) return [];
  return [
    {
      ...{ code: 'tls-without-https', pointer, part: 'key' },
      message: 'The "custom_host" begins with http://, so "tls" would not be used.',
      hint: 'Begin "custom_host" with https://, or remove "tls".',
    },
  ];
};

/** Checks the TLS settings of a list of saved records beyond their shape. */
export const checkTls = (
  list: 'providers' | 'virtual_keys',
  things: Readonly<Record<string, SavedProvider>>,
): readonly SavedProblem[] =>
  Object.entries(things).flatMap(([name, saved]) => {
    if (saved.tls === undefined) return [];
    const pointer = childPointer(rootPointer, list, name, 'tls');
    return [...pairProblem(saved, pointer), ...plainProblem(saved, pointer)];
  });
