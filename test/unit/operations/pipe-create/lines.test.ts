import { describe, expect, it } from 'vitest';
import {
  readColumns,
  readFieldMappings,
  readTableMappings,
  readTexts,
} from '../../../../src/operations/pipe-create/lines.ts';

const TABLE = { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' };

describe('the lists of a form', () => {
  it.each([
    ['one a line', 'a\n\n  b \n', ['a', 'b']],
    ['on one line by semicolons', 'a; b', ['a', 'b']],
    ['a semicolon inside a line', 'a;b\nc', ['a;b', 'c']],
  ])('are read %s', (_how, text, value) => {
    expect(readTexts(text)).toEqual({ value });
  });

  it.each([
    ['id UInt64', { name: 'id', type: 'UInt64' }],
    ['`full name`  Map(String, UInt8)', { name: 'full name', type: 'Map(String, UInt8)' }],
  ])('read the column %s', (text, column) => {
    expect(readColumns(text)).toEqual({ value: [column] });
  });

  it.each(['->', '-&gt;', '=>', '→'])('take %s for an arrow', (arrow) => {
    expect(readFieldMappings(`user id${arrow}id\na ${arrow} b`)).toEqual({
      value: [
        { sourceField: 'user id', destinationField: 'id' },
        { sourceField: 'a', destinationField: 'b' },
      ],
    });
  });

  it.each<[string, object]>([
    ['public.orders -> orders', TABLE],
    ['"public".orders->"orders"', TABLE],
    ['public."or.ders" -> orders', { ...TABLE, sourceTable: 'or.ders' }],
    ['public.orders -> orders exclude(card)', { ...TABLE, excludedColumns: ['card'] }],
    [
      'public.orders -> orders SORT(id , at) customsort(no)  exclude(a,b)',
      {
        ...TABLE,
        sortingKeys: ['id', 'at'],
        useCustomSortingKey: false,
        excludedColumns: ['a', 'b'],
      },
    ],
    ['public.orders -> orders customsort', { ...TABLE, useCustomSortingKey: true }],
  ])('read the table %s', (text, mapping) => {
    expect(readTableMappings(text)).toEqual({ value: [mapping] });
  });

  it.each([
    [readColumns, 'id UInt64\nname'],
    [readFieldMappings, 'a -> b\nc'],
    [readFieldMappings, 'a -> b\nc -> d -> e'],
    [readFieldMappings, 'a -> b\n-> e'],
    [readTableMappings, 'public.a -> a\norders -> orders'],
    [readTableMappings, 'public.a -> a\npublic.orders'],
    [readTableMappings, 'public.a -> a\npublic.orders -> orders drop(a)'],
    [readTableMappings, 'public.a -> a\npublic.orders -> orders sort()'],
    [readTableMappings, 'public.a -> a\npublic.orders -> orders sort(a) sort(b)'],
    [readTableMappings, 'public.a -> a\npublic.orders -> orders exclude(a'],
    [readTableMappings, 'public.a -> a\npublic.orders -> orders customsort(maybe)'],
  ])('name the entry that does not fit', (read, text) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(/^Entry 2: .+\.$/u) });
  });
});
