import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore, readStoreUrl } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { StoreError } from '../../../../../plugins/control/kernel/store/store.ts';

const secret = 'hunter2';

describe('the URL of a store', () => {
  it.each([
    ['gateway.db', path.resolve('gateway.db')],
    ['./data/gateway.db', path.resolve('data/gateway.db')],
    ['/var/lib/gateway.db', '/var/lib/gateway.db'],
    ['sqlite:gateway.db', path.resolve('gateway.db')],
    ['sqlite:/var/lib/gateway.db', '/var/lib/gateway.db'],
    ['./odd:name.db', path.resolve('./odd:name.db')],
  ])('%s refers to a file', (url, file) => {
    expect(readStoreUrl(url)).toEqual({ kind: 'sqlite', file, where: file });
  });

  it.each([
    [`postgres://gateway:${secret}@db.example:5433/gateway`, 'postgres://db.example:5433/gateway'],
    [`postgresql://gateway:${secret}@db.example/gateway?sslmode=verify-full`, 'postgres://db.example/gateway'],
    [`postgres://db.example/gateway?password=${secret}`, 'postgres://db.example/gateway'],
  ])('%s refers to a PostgreSQL database, which is named without its password', (url, where) => {
    expect(readStoreUrl(url)).toEqual({ kind: 'postgres', url, where });
  });

  it.each([
    ['mysql://db.example/gateway', 'The store cannot be kept in mysql.'],
    ['', 'The store needs a file of its own.'],
    ['sqlite:', 'The store needs a file of its own.'],
    [':memory:', 'The store needs a file of its own.'],
    ['sqlite://gateway.db', 'The URL of a store in a file is sqlite:PATH, without //.'],
    [`postgres://gateway:${secret}/x@db.example/gateway`, 'cannot be read'],
    [`postgres://gateway:1/${secret}@db.example/gateway`, 'is ambiguous'],
    [`postgres://gateway:1?${secret}@db.example/gateway`, 'is ambiguous'],
    [`postgres://gateway:1#${secret}@db.example/gateway`, 'is ambiguous'],
  ])('%s is refused with a message without its password', async (url, said) => {
    const refused = openStore({ url });
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.not.toThrow(secret);
  });
});
