import { secretText } from '../document/answer-errors.ts';
import type { Caller, World } from '../run/world.ts';

const wrongKeys: readonly string[] = [
  secretText('no-such-key'),
  `gw-${'0'.repeat(26)}-${'0'.repeat(52)}-000000`,
  `gw-${'0'.repeat(26)}`,
  `${secretText('long')}${'x'.repeat(9000)}`,
  'eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2xvZ2luLnRlc3QvIiwiYXVkIjoiZ2F0ZXdheSJ9.',
  ' ',
];

const asHeader = (key: string, { random }: World): Readonly<Record<string, string>> =>
  random.oneIn(4) ? { authorization: `Bearer ${key}` } : { 'x-gw-api-key': key };

/** Picks a caller: usually one with a key that is allowed to send the request, in one of two workspaces. */
export const callerFor = (world: World): Caller => {
  const { random, admin, places, keys } = world;
  const [one, other] = places;
  const dice = random.below(100);
  if (dice < 40) return { place: one, headers: asHeader(one.key, world) };
  if (dice < 50) return { place: other, headers: asHeader(other.key, world) };
  const inPlace = random.pick(places);
  if (dice < 88) {
    const workspace = random.pick([inPlace.id, inPlace.slug]);
    return { place: inPlace, headers: { ...asHeader(admin, world), 'x-gw-workspace': workspace } };
  }
  if (dice < 95 && keys.length > 0) return { place: one, headers: asHeader(random.pick(keys), world) };
  return { place: one, headers: random.oneIn(4) ? {} : asHeader(random.pick(wrongKeys), world) };
};

const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://elsewhere.test' },
  { origin: 'null' },
  { 'x-gw-workspace': 'no-such-workspace' },
  { 'x-gw-workspace': '' },
  { 'x-gw-workspace': '%00' },
  { 'x-gw-trace-id': 'a trace' },
  { 'x-gw-trace-id': 'x'.repeat(3000) },
  { 'x-gw-metadata': '{"_user":"ann"}' },
  { 'x-gw-metadata': '{"a":' },
  { 'x-gw-config': '{"provider":' },
  { 'x-gw-config': 'no-such-config' },
  { 'x-gw-provider': 'echo' },
  { 'x-gw-request-timeout': 'soon' },
  { 'x-gw-unknown': 'x' },
  { accept: 'text/html' },
  { 'accept-encoding': 'br' },
  { cookie: 'a=b' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { 'x-http-method-override': 'DELETE' },
];

/** Returns rare headers that either change nothing or are rejected. */
export const strayHeaders = ({ random }: World): Readonly<Record<string, string>> =>
  random.oneIn(12) ? random.pick(oddHeaders) : {};
