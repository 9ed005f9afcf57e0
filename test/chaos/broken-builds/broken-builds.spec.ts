import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mutated } from '../../../tools/mutations/src/mutation';
import { brokenBuilds } from './broken-builds';

describe('the broken builds', () => {
  it.each(brokenBuilds.map((build) => [build.name, build] as const))(
    '%s fits the sources',
    (_name, { changes }) => {
      for (const change of changes) {
        const source = readFileSync(path.join(__dirname, '../../..', change.file), 'utf8');

        expect(mutated(source, change)).not.toBe(source);
      }
    },
  );
});
