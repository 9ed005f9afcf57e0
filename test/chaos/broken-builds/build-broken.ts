import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { buildWithKillPoints } from '../../../tools/kill-points/src/build';
import { mutated } from '../../../tools/mutations/src/mutation';
import { type BrokenBuild, type Change } from './broken-builds';

/** Writes a build with kill points and with these changes below `root`; answers its folder. */
export function buildBroken(root: string, { name, changes }: BrokenBuild): string {
  const target = path.join(root, `dist-broken-${name}`);
  buildWithKillPoints(root, path.join(root, 'dist'), target);
  const files = new Set(changes.map(({ file }) => file));
  for (const file of files) {
    const script = changedScript(
      root,
      file,
      changes.filter((change) => change.file === file),
    );
    // Without kill points: its lines are not those of the source any more.
    writeFileSync(path.join(target, file.replace(/\.ts$/, '.js')), script);
  }
  return target;
}

function changedScript(root: string, file: string, changes: readonly Change[]): string {
  const source = readFileSync(path.join(root, file), 'utf8');
  const changed = changes.reduce((text, change) => mutated(text, change), source);
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2023,
    esModuleInterop: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  };
  const { outputText } = ts.transpileModule(changed, { compilerOptions, fileName: file });
  const up = path.posix.relative(path.posix.dirname(file), 'libs');
  return outputText.replaceAll(/require\("@skein\/([a-z-]+)"\)/g, `require("${up}/$1/src/index.js")`);
}
